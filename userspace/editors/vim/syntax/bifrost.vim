" SPDX-License-Identifier: MIT
" Bifrost slot instructions: '*' is FMA, '+' is ADD
if exists('b:current_syntax') | finish | endif
syn match limnComment /#.*$\|\/\/.*$\|;.*$/
syn match limnLabel /^\s*[A-Za-z0-9_]\+:/
syn match limnOp /^\s*\zs[*+]\u\w*\(\.\w\+\)*/
syn match limnRegister /\<\(port[0-2]\|stage\|fau_lo\|fau_hi\|pass_fma\|pass_add\)\>/
syn match limnDirective /\.word\>\|\<set\>\s\+\S\+/
syn match limnNumber /\<\d\+\>\|\<0x\x\+\>/
hi def link limnComment Comment
hi def link limnLabel Label
hi def link limnOp Statement
hi def link limnRegister Type
hi def link limnDirective PreProc
hi def link limnNumber Number
let b:current_syntax = 'bifrost'
