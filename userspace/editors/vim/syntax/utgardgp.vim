" SPDX-License-Identifier: MIT
" Utgard GP shaders: see Documentation/isa/utgard-gp.rst
if exists('b:current_syntax') | finish | endif
syn match limnComment /#.*$\|\/\/.*$/
syn match limnLabel /^\s*[A-Za-z0-9_]\+:/
syn match limnOp /\<\(mov\|add\|floor\|sign\|ge\|lt\|min\|max\|mul\|complex[12]\|sel\|rcp\|rsqrt\|exp2\|log2\|preexp2\|postlog2\|clamp\|addr01\|op\d\+\|unk\d\+\|unknown\d\+\)\.\(a[01]\|m[01]\|m01\|p\|c\)\>/
syn keyword limnFlow branch nop
syn match limnDirective /\.word\>\|\<set\>\s\+\S\+/
syn match limnResult /\^[A-Za-z0-9_-]\+/
syn match limnRegister /\$\d\+\|\<[av]\d\+\>\|\<t\[[^]]*\]\|\<addr[0-3]\>/
syn match limnNumber /\<0x\x\+\>/
hi def link limnComment Comment
hi def link limnLabel Label
hi def link limnOp Statement
hi def link limnFlow Keyword
hi def link limnDirective PreProc
hi def link limnResult Identifier
hi def link limnRegister Type
hi def link limnNumber Number
let b:current_syntax = 'utgardgp'
