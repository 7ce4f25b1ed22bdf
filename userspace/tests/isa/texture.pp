# Fragment shader, Utgard PP: texture 0 at varying 0.xy, times uniform 0.
# Coordinates go to the texture unit through the varying unit in full precision;
# ^discard: no register is written.
	load.v ^discard.xy 0.xy, texld 0, load.u 0, mul.v0 $0 ^texture ^uniform, sync, stop
