" SPDX-License-Identifier: MIT
" Midgard shaders as Mesa's disassembler prints them
if exists('b:current_syntax') | finish | endif
syn match limnComment /#.*$\|\/\/.*$/
syn match limnLabel /^\s*[A-Za-z0-9_]\+:/
syn match limnUnit /^\s*\zs\(vmul\|sadd\|vadd\|smul\|lut\|br\|brx\|ctrl\)\>/ nextgroup=limnOp
syn match limnOp /\.\w\+\(\.\w\+\)*/ contained
syn match limnOp /^\s*\zs\(\u[A-Z0-9_]\+\|\(ldst\|tex\)_op_\w\+\)\(\.\w\+\)*\ze\(\s\|$\)/
syn match limnRegister /\<\(R\|AL\|TA\|U\|AT\)\d\+\>/
syn match limnDirective /\.word\>\|\<set\>\s\+\S\+\|\<[a-z]*constants\>/
syn match limnNumber /-\?\<\d\+\(\.\d\+\)\?\(e[-+]\?\d\+\)\?\>\|\<0x\x\+\>/
hi def link limnComment Comment
hi def link limnLabel Label
hi def link limnUnit Statement
hi def link limnOp Function
hi def link limnRegister Type
hi def link limnDirective PreProc
hi def link limnNumber Number
let b:current_syntax = 'midgard'
