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
    "strndup", "__strndup", "index", "rindex", "memrchr", "memccpy", "strtok", "strtok_r",
    "__strtok_r", "strsep", "strxfrm", "strxfrm_l", "__strxfrm_l", "regexec",
    "strcasecmp_l", "strncasecmp_l", "strcoll", "strcoll_l", "memchr", "rawmemchr", "__rawmemchr",
    "strtold", "strtoimax", "strtoumax", "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll",
    "__isoc23_strtoull", "__isoc23_strtoimax", "__isoc23_strtoumax", "wcslen", "wcsnlen", "wmemcmp",
    "wcscmp", "wcsncmp", "wcscasecmp", "wcsncasecmp", "wcschr", "wcsrchr", "wcsstr", "wcsspn",
    "wcscspn", "wcspbrk", "wcscoll", "wcstok", "wcsxfrm", "wmemchr", "wcstol", "wcstoul", "wcstoll",
    "wcstoull", "wcstoimax", "wcstoumax", "wcstod", "wcstof", "wcstold", "__isoc23_wcstol",
    "__isoc23_wcstoul", "__isoc23_wcstoll", "__isoc23_wcstoull", "__isoc23_wcstoimax",
    "__isoc23_wcstoumax",
    # input: what to look for, and the text to look at
    "scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf", "__isoc99_scanf",
    "__isoc99_fscanf", "__isoc99_sscanf", "__isoc99_vscanf", "__isoc99_vfscanf",
    "__isoc99_vsscanf", "__isoc23_scanf", "__isoc23_fscanf", "__isoc23_sscanf", "__isoc23_vscanf",
    "__isoc23_vfscanf", "__isoc23_vsscanf", "wscanf", "fwscanf", "swscanf", "vwscanf", "vfwscanf",
    "vswscanf", "__isoc99_wscanf", "__isoc99_fwscanf", "__isoc99_swscanf", "__isoc99_vwscanf",
    "__isoc99_vfwscanf", "__isoc99_vswscanf", "__isoc23_wscanf", "__isoc23_fwscanf",
    "__isoc23_swscanf", "__isoc23_vwscanf", "__isoc23_vfwscanf", "__isoc23_vswscanf",
    # output
    "pwritev", "pwritev2", "pwritev64", "fputws", "swprintf", "vswprintf", "tempnam",
    "wprintf", "vwprintf", "fwprintf", "vfwprintf",
    "backtrace_symbols", "backtrace_symbols_fd", "write", "pwrite", "pwrite64", "writev", "fwrite",
    "fputs", "puts", "send", "perror",
    "printf", "fprintf", "vprintf", "vfprintf", "sprintf", "snprintf", "vsprintf", "vsnprintf",
    "dprintf", "vdprintf", "asprintf", "vasprintf", "fwrite_unlocked", "fputs_unlocked",
    "__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk", "__vprintf_chk",
    "__vfprintf_chk", "__vsprintf_chk", "__vsnprintf_chk", "__asprintf_chk", "__vasprintf_chk",
    # names
    "open", "open64", "fopen", "fopen64", "getenv", "setenv", "unsetenv", "putenv", "stat", "lstat",
    "access", "unlink", "remove", "rename", "mkdir", "rmdir", "opendir", "chdir", "system", "popen",
    "realpath", "getaddrinfo", "canonicalize_file_name", "creat", "truncate", "chmod", "link",
    "symlink", "readlink", "readlinkat", "__readlink_chk", "__readlinkat_chk", "stat64", "lstat64",
    "fstatat", "fstatat64", "statx", "statfs", "statfs64", "statvfs", "statvfs64", "__xstat",
    "__xstat64", "__lxstat", "__lxstat64", "__fxstatat", "__fxstatat64", "freopen", "freopen64",
    "fdopen", "glob", "glob64", "scandir", "scandir64", "getxattr", "lgetxattr", "listxattr",
    "llistxattr", "setlocale", "textdomain", "dlopen", "inet_addr", "inet_aton", "inet_pton",
    "gethostbyname", "gethostbyname2", "getpwnam", "getpwnam_r", "getgrnam", "getgrnam_r",
    "if_nametoindex", "regcomp", "fgetxattr", "initgroups", "getgrouplist", "getprotobyname",
    "getprotobyname_r", "getnetbyname", "gethostbyname_r", "gethostbyname2_r", "gethostbyaddr",
    "gethostbyaddr_r", "ether_aton", "ether_aton_r", "ether_ntoa", "wordexp",
    # converted or passed on, where all that is read must be set
    "iconv", "ioctl", "setrlimit", "clock_settime", "sigismember", "sigprocmask",
    "pthread_sigmask", "localtime", "localtime_r",
    "gmtime", "gmtime_r", "ctime", "ctime_r",
))  # fmt: skip
