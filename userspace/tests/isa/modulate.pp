# Fragment shader, Utgard PP: varying 0 (texture coordinates) and varying 1
# (colour): texture 0 times colour; fragments with alpha below 1/4 are dropped.
	load.v ^discard.xy 0.xy, texld 0, mov.v1 $1 ^texture, sync
	load.v $0 1, mul.v0 $0 $0 $1
	branch.ge $0.w ^const0.x keep, const0 0.25 0 0 0
	discard
keep:	mov.v1 $0 $0, stop
