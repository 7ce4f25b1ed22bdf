// SPDX-License-Identifier: MIT
/*
 * libGL.so.1 for piglit where there is no X: piglit asks GLX for the functions
 * of desktop GL even when its window system is surfaceless EGL. Mesa's EGL has
 * them all. The rest of GLX that piglit links with is never called then.
 */
typedef void (*function)(void);

extern function eglGetProcAddress(const char *name);

function glXGetProcAddress(const unsigned char *name);
function glXGetProcAddressARB(const unsigned char *name);

function glXGetProcAddress(const unsigned char *name)
{
	return eglGetProcAddress((const char *)name);
}

function glXGetProcAddressARB(const unsigned char *name)
{
	return glXGetProcAddress(name);
}

#define NEVER_CALLED(name) void name(void); void name(void) { __builtin_trap(); }
NEVER_CALLED(glXChooseVisual)
NEVER_CALLED(glXCreateContext)
NEVER_CALLED(glXCreateNewContext)
NEVER_CALLED(glXCreatePixmap)
NEVER_CALLED(glXDestroyContext)
NEVER_CALLED(glXGetCurrentDisplay)
NEVER_CALLED(glXGetCurrentDrawable)
NEVER_CALLED(glXGetFBConfigAttrib)
NEVER_CALLED(glXGetFBConfigs)
NEVER_CALLED(glXGetVisualFromFBConfig)
NEVER_CALLED(glXMakeCurrent)
NEVER_CALLED(glXQueryExtension)
NEVER_CALLED(glXQueryExtensionsString)
NEVER_CALLED(glXQueryVersion)
