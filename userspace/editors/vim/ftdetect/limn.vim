" SPDX-License-Identifier: MIT
" Vim itself takes .gp for PARI and .pp for Puppet: here they are shaders.
au BufRead,BufNewFile *.gp set filetype=utgardgp
au BufRead,BufNewFile *.pp set filetype=utgardpp
au BufRead,BufNewFile *.viv set filetype=vivante
au BufRead,BufNewFile *.midgard set filetype=midgard
au BufRead,BufNewFile *.bifrost set filetype=bifrost
au BufRead,BufNewFile *.limn set filetype=limn
