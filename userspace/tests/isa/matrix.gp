# Vertex shader, Utgard GP: position = matrix * a0, then the viewport.
#
# a0: position (x, y, z, w), a1: colour
# t[0] .. t[3]: columns of the matrix, so position = t[0] a0.x + t[1] a0.y + t[2] a0.z + t[3] a0.w
# t[4]: viewport scale, t[5]: viewport offset
# v0: position as the PLBU reads it, v1: colour
#
# One vec4 of uniforms and one attribute can be loaded per instruction, so a
# column at a time; sums wait in registers ($0) when they are needed later than
# two instructions on (readable three instructions after the store).

	mul.m0 ^wx a0.x t[0].w		# w first: the division takes longest

	mul.m0 ^wy a0.y t[1].w
	mov.p ^wx1 ^wx

	add.a0 ^w01 ^wx1 ^wy
	mul.m0 ^wz a0.z t[2].w

	add.a0 ^w012 ^w01 ^wz
	mul.m0 ^ww a0.w t[3].w

	add.a0 ^w ^w012 ^ww

	complex2.m0 ^square ^w ^w
	rcp.c ^guess ^w
	mov.p ^w_1 ^w

	complex1.m01 ^rw ^guess ^square ^guess ^w_1

	mul.m0 ^xx a0.x t[0].x
	mul.m1 ^yx a0.x t[0].y

	mul.m0 ^xy a0.y t[1].x
	mul.m1 ^yy a0.y t[1].y
	mov.a0 ^x0 ^xx
	mov.a1 ^y0 ^yx
	mov.p ^rw1/$1.x ^rw

	add.a0 ^x1 ^x0 ^xy
	add.a1 ^y1 ^y0 ^yy
	mul.m0 ^xz a0.z t[2].x
	mul.m1 ^yz a0.z t[2].y

	add.a0 ^x2 ^x1 ^xz
	add.a1 ^y2 ^y1 ^yz
	mul.m0 ^xw a0.w t[3].x
	mul.m1 ^yw a0.w t[3].y

	add.a0 ^x ^x2 ^xw
	add.a1 ^y ^y2 ^yw

	mul.m0 ^ndcx ^x $1.x
	mul.m1 ^ndcy ^y $1.x

	mul.m0 ^sx ^ndcx t[4].x
	mul.m1 ^sy ^ndcy t[4].y

	add.a0 ^px/v0.x ^sx t[5].x
	add.a1 ^py/v0.y ^sy t[5].y
	mov.m0 ^pw/v0.w $1.x

	mul.m0 ^zx a0.x t[0].z

	mul.m0 ^zy a0.y t[1].z
	mov.p ^zx1 ^zx

	add.a0 ^z01 ^zx1 ^zy
	mul.m0 ^zz a0.z t[2].z

	add.a0 ^z012 ^z01 ^zz
	mul.m0 ^zw a0.w t[3].z

	add.a0 ^z ^z012 ^zw

	mul.m0 ^ndcz ^z $1.x

	mul.m0 ^sz ^ndcz t[4].z

	add.a0 ^pz/v0.z ^sz t[5].z

	mov.a0 ^cr/v1.x a1.x
	mov.a1 ^cg/v1.y a1.y
	mov.m0 ^cb/v1.z a1.z
	mov.m1 ^ca/v1.w a1.w
