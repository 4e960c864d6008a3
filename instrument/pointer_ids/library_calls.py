"""Library functions: the ranges that they touch, and what they do to pointers in memory.

    memcpy(d, s, n)       [d, d + n) and [s, s + n) are checked, pointers are copied
    write(fd, p, n)       [p, p + n) is checked and leaves the program: its pointers are exposed
    writev(fd, v, n)      so does what the table leads to
    qsort(a, n, s, f)     [a, a + n * s) is checked, pointers in it are found again behind the call
    strlen(s)             at least one byte of s is read
    printf("%s", s)       the same, as the format says (format_arguments.py)
    posix_memalign(p, ..) *p is a new block

Their implementations are native or replaced, so what they are passed is checked where they are
called.  Functions not named here are passed what they want; their pointers count as exposed, unless
they are checked functions of another module.
"""

from __future__ import annotations

from typing import NamedTuple


class Range(NamedTuple):
    """Argument `pointer` leads to as many bytes as argument `size` says; -1: to one at least.

    is_shown: they leave the program, and may come back as numbers.
    times: argument that says how often as many bytes; -1: once.
    unit: bytes of what `size` counts.
    """

    pointer: int
    size: int = -1
    is_write: bool = False
    is_shown: bool = False
    times: int = -1
    unit: int = 1


class Copy(NamedTuple):
    """Bytes that are copied: arguments, and the bytes of what the size counts."""

    target: int
    source: int
    size: int
    unit: int = 1


class Vectors(NamedTuple):
    """Argument `table` leads to as many pairs of address and size as argument `n_pairs` says, or
    to as many headers that hold such a table: what they name leaves the program.

    stride: bytes of each header, 0 without headers.  n_pairs: -1 for one.
    """

    table: int
    n_pairs: int
    stride: int = 0


def _reads(*pointers: int) -> tuple[Range, ...]:
    return tuple([Range(pointer) for pointer in pointers])


_SENDING = ("write", "pwrite", "pwrite64", "send", "sendto", "mq_send", "mq_timedsend")
_WIDE_BYTES = 4
_WIDE_COPY = (Range(0, 2, True, unit=_WIDE_BYTES), Range(1, 2, unit=_WIDE_BYTES))
_COPY = (Range(0, 2, True), Range(1, 2))
_READING = (
    *("strlen", "strchr", "strrchr", "strdup", "atoi", "atol", "atoll", "atof", "puts"),
    *("wcslen", "wcschr", "wcsrchr", "wcsdup"),
)
_STRING_COPY = (Range(0, -1, True), Range(1))
SORTED: dict[str, tuple[Range, ...]] = dict.fromkeys(
    ("qsort", "qsort_r"), (Range(0, 1, True, times=2),)
)
"""Arrays whose items, with the pointers in them, change places."""
RANGES: dict[str, tuple[Range, ...]] = {
    **dict.fromkeys(("memcpy", "memmove", "mempcpy"), _COPY),
    "memset": (Range(0, 2, True),),
    "bzero": (Range(0, 1, True),),
    **dict.fromkeys(("memcmp", "bcmp"), (Range(0, 2), Range(1, 2))),
    "memchr": (Range(0),),
    **dict.fromkeys(_READING, _reads(0)),
    **dict.fromkeys(("strcmp", "strstr", "strcasecmp", "strspn", "strcspn"), _reads(0, 1)),
    **dict.fromkeys(("strcpy", "strcat", "stpcpy"), _STRING_COPY),
    **dict.fromkeys(_SENDING, (Range(1, 2, is_shown=True),)),
    **dict.fromkeys(("fwrite", "fwrite_unlocked"), (Range(0, 1, is_shown=True, times=2),)),
    "bcopy": (Range(0, 2), Range(1, 2, True)),
    "swab": (Range(0, 2, is_shown=True), Range(1, 2, True)),
    **dict.fromkeys(("wmemcpy", "wmemmove", "wmempcpy"), _WIDE_COPY),
    **SORTED,
}
"""Ranges by the name of the function."""

COPIES = {
    **dict.fromkeys(("memcpy", "memmove", "mempcpy"), Copy(0, 1, 2)),
    **dict.fromkeys(("wmemcpy", "wmemmove", "wmempcpy"), Copy(0, 1, 2, _WIDE_BYTES)),
    "bcopy": Copy(1, 0, 2),
}
VECTORS = {
    **dict.fromkeys(("writev", "pwritev", "pwritev64", "pwritev2", "pwritev64v2"), Vectors(1, 2)),
    **dict.fromkeys(("vmsplice", "process_vm_writev"), Vectors(1, 2)),
    "sendmsg": Vectors(1, -1, 56),
    "sendmmsg": Vectors(1, 2, 64),
}
FILLS = {"memset": 2, "bzero": 1}
NEW_BLOCKS = {"posix_memalign": 0, "asprintf": 0, "vasprintf": 0, "getline": 0, "getdelim": 0}
"""Functions that store the address of a new block where an argument points."""
_DEALLOCATION = ("free", "realloc", "cfree", "reallocarray", "_ZdlPv", "_ZdaPv")
_FORMATTING = (
    *("wprintf", "fwprintf", "swprintf", "vwprintf", "vfwprintf", "vswprintf"),
    *("printf", "fprintf", "dprintf", "sprintf", "snprintf", "asprintf"),
    *("vprintf", "vfprintf", "vdprintf", "vsprintf", "vsnprintf", "vasprintf"),
)
_SCANNING = ("scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf")
_NUMBERS = ("strtod", "strtof", "strtold", "strtol", "strtoll", "strtoul", "strtoull", "atof")
_STRINGS = (
    *("strncmp", "strncasecmp", "strncpy", "strncat", "strnlen", "strtok", "strtok_r", "strpbrk"),
    *("strndup", "strcoll", "strerror_r", "strftime", "getenv", "setenv"),
)
_STREAMS = (
    *("fopen", "fclose", "fflush", "fseek", "ftell", "fgets", "fgetc", "getc", "ungetc", "fread"),
    *("fputs", "fputc", "putc", "getline", "getdelim", "feof", "ferror", "rewind", "perror"),
    *("open", "read", "pread", "recv", "stat", "fstat", "lstat", "access", "unlink", "rename"),
)
READING_TEXT = frozenset(
    (
        *_FORMATTING, *_NUMBERS, *_STRINGS, *_STREAMS, *_SCANNING,
        *(f"__{name}_chk" for name in (*_FORMATTING, *_STRINGS, *_STREAMS)),
        *(f"__isoc{year}_{name}" for year in (99, 23) for name in (*_SCANNING, *_NUMBERS)),
    )
)  # fmt: skip
"""They may print a pointer, or give one back that they got, but make no number of what it leads to.
"""
_OPAQUE = ("pthread_mutex_", "pthread_rwlock_", "pthread_cond_", "pthread_spin_", "sem_")
"""They look at their own words only."""


def exposes(name: str) -> bool:
    """Whether a library function may show its pointers to the program as numbers."""
    return name not in RANGES and not is_opaque(name)


def is_opaque(name: str) -> bool:
    """Whether a library function shows nothing of its pointers, be it called by its name or not."""
    return name.startswith((*_DEALLOCATION, *_OPAQUE))
