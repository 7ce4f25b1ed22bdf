# Fragment shader, Utgard PP: the interpolated colour. $0 is the output.
	load.v $0 0, stop
