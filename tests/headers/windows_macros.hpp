// The macros of Microsoft's <windows.h> without NOMINMAX and WIN32_LEAN_AND_MEAN. On Windows they come from that file;
// those that mingw-w64's lacks in C++, and all on other systems, are defined here.
#pragma once

#ifdef _WIN32
#include <windows.h>
#endif

#ifndef min
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#ifndef near
#define near
#define far
#define cdecl
#define pascal
#endif
#ifndef small
#define small char
#endif
#ifndef hyper
#define hyper long long
#endif
#ifndef interface
#define interface struct
#define THIS void
#endif
#ifndef IN
#define IN
#define OUT
#define OPTIONAL
#endif
#ifndef ERROR
#define ERROR 0
#define ABSOLUTE 1
#define RELATIVE 2
#define DELETE (0x00010000L)
#endif
#ifndef TRUE
#define TRUE 1
#define FALSE 0
#endif
#ifndef CONST
#define CONST const
#endif
#ifndef VOID
#define VOID void
#endif
#ifndef GetObject
#define GetObject GetObjectA
#define GetMessage GetMessageA
#define CreateFile CreateFileA
#endif
