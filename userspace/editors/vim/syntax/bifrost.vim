" SPDX-License-Identifier: MIT
" Bifrost clauses: '*' is FMA, '+' is ADD
if exists('b:current_syntax') | finish | endif
syn match limnComment /\/\/.*$\|\/\*.\{-}\*\//
syn match limnLabel /^\s*[A-Za-z0-9_]\+:/
syn match limnOp /^\s*\zs[*+]\u\w*\(\.\w\+\)*/
syn match limnRegister /\<\(r\d\+\|t[01]\?\|u\d\+\.w[01]\|blend_descriptor_\d\|\(lane\|warp\|core\)_id\|atest_datum\|framebuffer_size\)\>/
syn match limnDirective /\.word\>\|\<constants\>\|\<set\>\s\+\S\+/
syn match limnNumber /\<\d\+\>\|\<0x\x\+\>/
hi def link limnComment Comment
hi def link limnLabel Label
hi def link limnOp Statement
hi def link limnRegister Type
hi def link limnDirective PreProc
hi def link limnNumber Number
let b:current_syntax = 'bifrost'
