" SPDX-License-Identifier: MIT
" Utgard PP shaders: see Documentation/isa/utgard-pp.rst
if exists('b:current_syntax') | finish | endif
syn match limnComment /#.*$\|\/\/.*$/
syn match limnLabel /^\s*@\?\s*[A-Za-z0-9_]\+:/
syn match limnOp /\<\h\w*\(\.\h\w*\)*\.\([vs][0-2]\|v\)\>\|\<texld[a-z._0-9]*\|\<load\.[a-z0-9.]\+\|\<store\.\w\+\|\<fb_\(color\|depth\)\>/
syn match limnFlow /\<branch\(\.\(nv\|lt\|eq\|le\|gt\|ne\|ge\)\)\?\>\|\<\(discard\|stop\|sync\|nop\)\>/
syn match limnDirective /\.word\>\|\<set\>\s\+\S\+\|\<const[01]\>/
syn match limnPipe /\^\(const[01]\|texture\|uniform\|discard\|[vs]0\|vmul\|fmul\)\>/
syn match limnRegister /\$\d\+/
syn match limnSpecial /\<gl_\w\+\|\<\(abs\|cube\|normalize\)\ze(/
syn match limnNumber /-\?\<\d\+\(\.\d\+\)\?\(e[-+]\?\d\+\)\?\>\|\<0x\x\+\>/
hi def link limnComment Comment
hi def link limnLabel Label
hi def link limnOp Statement
hi def link limnFlow Keyword
hi def link limnDirective PreProc
hi def link limnPipe Identifier
hi def link limnRegister Type
hi def link limnSpecial Function
hi def link limnNumber Number
let b:current_syntax = 'utgardpp'
