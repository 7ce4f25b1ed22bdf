" SPDX-License-Identifier: MIT
" Jobs of limn run: see Documentation/job-format.rst. Shader blocks have their own syntax.
if exists('b:current_syntax') | finish | endif
syn include @gp syntax/utgardgp.vim
unlet! b:current_syntax
syn include @pp syntax/utgardpp.vim
unlet! b:current_syntax
syn match jobComment /#.*$/
syn match jobWord /^\s*\h[a-z-]*/
syn region jobVertex matchgroup=jobWord start=/^\s*vertex-shader\s*{/ end=/^\s*}/ contains=@gp
syn region jobFragment matchgroup=jobWord start=/^\s*fragment-shader\s*{/ end=/^\s*}/ contains=@pp
hi def link jobComment Comment
hi def link jobWord Keyword
let b:current_syntax = 'limn'
