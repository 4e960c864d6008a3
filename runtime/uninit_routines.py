"""Library functions whose reads are uses: it decides what they do, or leaves the program.

Others copy, or read whole structures with their padding; what those read is never reported.

Source: the interceptors of MemorySanitizer and of sanitizer_common that check what they read.
"""

from __future__ import annotations

from typing import Final

CHECKED: Final = frozenset((
    # strings whose end or contents decide
    "strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr",
    "strchrnul", "strstr", "strcasestr", "strspn", "strcspn", "strpbrk", "memcmp", "bcmp", "memmem",
    "atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof",
    "strndup", "__strndup", "strcat", "strncat",
    # output
    "write", "pwrite", "pwrite64", "writev", "fwrite", "fputs", "puts", "send", "sendto", "perror",
    "printf", "fprintf", "vprintf", "vfprintf", "sprintf", "snprintf", "vsprintf", "vsnprintf",
    "dprintf", "vdprintf", "asprintf", "vasprintf", "fwrite_unlocked", "fputs_unlocked",
    # names
    "open", "open64", "fopen", "fopen64", "getenv", "setenv", "unsetenv", "putenv", "stat", "lstat",
    "access", "unlink", "remove", "rename", "mkdir", "rmdir", "opendir", "chdir", "system", "popen",
    "realpath", "getaddrinfo",
    # what is converted or asked for, where all that is read must be set
    "iconv", "ioctl", "poll", "sigprocmask", "pthread_sigmask", "localtime", "localtime_r",
    "gmtime", "gmtime_r", "ctime", "ctime_r",
))  # fmt: skip
