" SPDX-License-Identifier: MIT
" Vivante shaders as etna_viv and Mesa write them
if exists('b:current_syntax') | finish | endif
syn match limnComment /[;#].*$\|\/\/.*$/
syn match limnOp /\(^\s*\|^\s*[A-Za-z0-9_]\+:\s*\)\@<=\h\w*\(\.\w\+\)*/
syn match limnLabel /^\s*[A-Za-z0-9_]\+:/
syn match limnRegister /\<\(th\|t\|u\|i\|tex\)\d\+\>\|\<mem\>\|\[a\.[xyzw]\]/
syn keyword limnVoid void
syn match limnDirective /\.word\>\|\<set\>\s\+\S\+/
syn match limnNumber /-\?\<\d\+\(\.\d\+\)\?\(e[-+]\?\d\+f\)\?u\?\>\|\<0x\x\+\>/
hi def link limnComment Comment
hi def link limnLabel Label
hi def link limnOp Statement
hi def link limnRegister Type
hi def link limnVoid Constant
hi def link limnDirective PreProc
hi def link limnNumber Number
let b:current_syntax = 'vivante'
