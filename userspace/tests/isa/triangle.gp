# Vertex shader, Utgard GP: attributes straight through, with the transformation
# that the hardware wants of its position (varying 0):
#
#   w   = 1 / position.w               (rcp.c, complex2, complex1: 1/x in three steps)
#   xyz = position.xyz * w * scale.xyz + offset.xyz
#
# a0: position (x, y, z, w), a1: colour
# t[0]: viewport scale, t[1]: viewport offset
# v0: position as the PLBU reads it, v1: colour
#
# A result is named by you with ^ and can be read one or two instructions later.
# An empty line or a label ends an instruction.

	complex2.m0 ^square a0.w a0.w
	rcp.c ^guess a0.w

	complex1.m01 ^w ^guess ^square ^guess a0.w	# readable two instructions later

	mov.a0 ^r/v1.x a1.x
	mov.a1 ^g/v1.y a1.y
	mov.m0 ^b/v1.z a1.z
	mov.m1 ^a/v1.w a1.w

	mul.m0 ^x a0.x ^w
	mul.m1 ^y a0.y ^w
	mov.p ^w1 ^w

	mul.m0 ^sx ^x t[0].x
	mul.m1 ^sy ^y t[0].y
	mov.p ^w2 ^w1

	add.a0 ^px/v0.x ^sx t[1].x
	add.a1 ^py/v0.y ^sy t[1].y
	mul.m0 ^z a0.z ^w2
	mov.m1 ^pw/v0.w ^w2

	mul.m0 ^sz ^z t[0].z

	add.a0 ^pz/v0.z ^sz t[1].z
