/* What newer C libraries call strtol and its like, for linking their archives with an older one. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

long __isoc23_strtol(const char* text, char** end, int base) { return strtol(text, end, base); }

unsigned long __isoc23_strtoul(const char* text, char** end, int base) { return strtoul(text, end, base); }

int __isoc23_sscanf(const char* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}
