" SPDX-License-Identifier: MIT
" Jobs of limn run: see Documentation/job-format.rst. Shader blocks have their own syntax. The words are those
" of limn info --statements: userspace/tests/host/editors.sh holds them against it.
if exists('b:current_syntax') | finish | endif
let s:vivante = search('^\s*vivante\>', 'nw')
execute 'syn include @vertex syntax/' . (s:vivante ? 'vivante' : 'utgardgp') . '.vim'
unlet! b:current_syntax
execute 'syn include @fragment syntax/' . (s:vivante ? 'vivante' : 'utgardpp') . '.vim'
unlet! b:current_syntax
let s:statements = 'alpha-test alpha-to-coverage alpha-to-one answer attribute blend blend-color clear color-mask '
	\ . 'color-register compute compute-shader compute-uniforms copy cull depth depth-buffer depth-range dither '
	\ . 'draw draw-indexed expect fast-clear fill for fragment-shader fragment-stack fragment-uniforms frames '
	\ . 'front gp-lists gpu heap image include indices let line line-width outputs point-size polygon-offset probe rotate '
	\ . 'sample-mask sampler samples scene scissor state stencil stretch target texture texture-level '
	\ . 'vertex-sampler vertex-shader vertex-texture vertex-uniforms viewport vivante'
let s:words = 'a16 a16b16g16r16f a16b16g16r16i a16b16g16r16ui a16f a2b10g10r10 a2b10g10r10ui a8 a8b8g8r8-snorm '
	\ . 'a8b8g8r8i a8b8g8r8ui add all always array b10g11r11f back bgr16f bgra8888 bias border both byte1 byte2 byte3 '
	\ . 'byte4 byten1 byten2 byten3 byten4 bytes ccw checker clamp clamp-half color color1 color2 color3 color4 '
	\ . 'compare const const-alpha count cube cw d16 d24s8 d24x8 decr decr-wrap depth dst dst-alpha dxt1 dxt3 '
	\ . 'dxt5 e5b9g9r9 eac-r11 eac-r11-signed eac-rg11 eac-rg11-signed equal error etc1 etc2-rgb8 etc2-rgb8a1 '
	\ . 'etc2-rgba8 fixed fixed1 fixed2 fixed3 fixed4 flip-x flip-y float1 float2 float3 float4 front g16r16f '
	\ . 'g16r16i g16r16ui g32r32f g32r32i g8r8 g8r8-snorm g8r8i g8r8ui gequal gradient greater group half1 half2 '
	\ . 'half3 half4 i16 i16f i8 incr incr-wrap indirect instances int1 int2 int3 int4 invert keep l16 l16f l8 la16f la88 '
	\ . 'lequal less levels line-loop line-strip linear lines lists lod mag max min mip mirror mirror-border '
	\ . 'mirror-clamp mirror-clamp-half nearest never no-semaphores no-tile no-vs-flush none notequal off on one one-minus-const '
	\ . 'one-minus-const-alpha one-minus-dst one-minus-dst-alpha one-minus-src one-minus-src-alpha pixel pixels '
	\ . 'plain plbu-flush png point-coord point-size points polygon position quad-strip quads r16f r16i r16ui r32f r32i r8 '
	\ . 'r8-snorm r8i r8ui read-only rectangle relied-on repeat replace report restart reverse-subtract rgb565 '
	\ . 'rgb888 rgba16f rgba4444 rgba5551 rgba8888 rgbx8888 risky rop rows same short1 short2 short3 short4 '
	\ . 'shortn1 shortn2 shortn3 shortn4 solid src src-alpha src-alpha-saturate stencil subtract supertiled '
	\ . 'swizzle texels tiled triangle-fan triangle-strip triangles u16 u32 u8 ubyte1 ubyte2 ubyte3 ubyte4 '
	\ . 'ubyten1 ubyten2 ubyten3 ubyten4 uint1 uint2 uint3 uint4 ushort1 ushort2 ushort3 ushort4 ushortn1 '
	\ . 'ushortn2 ushortn3 ushortn4 uyvy volume within words wrap x4r4g4b4 x8b8g8r8-snorm x8r8g8b8 yuy2 z24s8 z24x8 zero'
syn match jobNumber /[[:alnum:]_-]\@<!-\?\(\d\+\(\.\d\+\)\?\(e[-+]\?\d\+\)\?\|0x\x\+\)\>/
execute 'syn match jobWord /[[:alnum:]_-]\@<!\(' . substitute(s:words, ' ', '\\|', 'g') . '\)[[:alnum:]_-]\@!/'
execute 'syn match jobStatement /^\s*\zs\(' . substitute(s:statements, ' ', '\\|', 'g') . '\)[[:alnum:]_-]\@!/'
syn region jobString start=/"/ end=/"/ oneline
syn match jobComment /#.*$/
syn region jobVertex matchgroup=jobStatement start=/^\s*vertex-shader\s*{\s*$/ end=/^\s*}\s*$/ contains=@vertex
syn region jobFragment matchgroup=jobStatement start=/^\s*fragment-shader\s*{\s*$/ end=/^\s*}\s*$/ contains=@fragment
hi def link jobComment Comment
hi def link jobNumber Number
hi def link jobStatement Keyword
hi def link jobString String
hi def link jobWord Constant
let b:current_syntax = 'limn'
