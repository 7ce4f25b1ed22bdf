" SPDX-License-Identifier: MIT
au BufRead,BufNewFile *.gp setfiletype utgardgp
au BufRead,BufNewFile *.pp setfiletype utgardpp
au BufRead,BufNewFile *.viv setfiletype vivante
au BufRead,BufNewFile *.limn setfiletype limn
