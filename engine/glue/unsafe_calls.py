"""Glue in front of library functions that a signal handler must not call.

    no handler was ever called ?  ->  go on
    kernel: a handler in progress?  ->  report it (signal-unsafe call inside of a signal), go on

One load and a branch for programs without handlers.  Only functions that break what they interrupt
are here: the heap and buffered streams with their locks and lists, the environment.  Formatting
into the caller's own memory is not, nor are locks: programs that take them in handlers mean it.

Source: signal-safety(7) for the functions; the heap's are those of ThreadSanitizer.
"""

from __future__ import annotations

from typing import Final

from irsan.engine.glue.text import LIKELY, context_field
from irsan.interceptors.registry import Export

_HEAP: Final = frozenset({
    "malloc", "calloc", "realloc", "reallocarray", "free", "cfree", "free_sized",
    "free_aligned_sized", "memalign", "__libc_memalign", "aligned_alloc", "posix_memalign",
    "valloc", "pvalloc", "strdup", "__strdup", "strndup", "__strndup", "wcsdup",
    "asprintf", "vasprintf", "__asprintf_chk", "__vasprintf_chk",
})  # fmt: skip
_OPERATORS: Final = ("_Znw", "_Zna", "_Zdl", "_Zda")
_STREAMS: Final = frozenset({
    "printf", "vprintf", "fprintf", "vfprintf", "__printf_chk", "__vprintf_chk", "__fprintf_chk",
    "__vfprintf_chk", "puts", "fputs", "fputs_unlocked", "fputws", "perror",
    "wprintf", "vwprintf", "fwprintf", "vfwprintf",
    "fwrite", "fwrite_unlocked", "fread", "fread_unlocked", "fgets", "fgets_unlocked", "fgetws",
    "fgetc", "getc", "getdelim", "__getdelim", "getline",
    "fopen", "fopen64", "fdopen", "freopen", "freopen64", "fmemopen", "open_memstream", "popen",
    "opendir", "setenv", "unsetenv", "putenv", "setlocale",
})  # fmt: skip

def unsafe_lines(export: Export, number: int) -> list[str]:
    """Lines at the beginning of an export's body, in a block that goes on behind them."""
    is_heap = export.name in _HEAP or export.name.startswith(_OPERATORS)
    if not is_heap and export.name not in _STREAMS:
        return []
    return [
        f"%handlers = load i64, {context_field('signals.n_handled')}",
        "%unhandled = icmp eq i64 %handlers, 0",
        f"br i1 %unhandled, label %safe, label %judge, !prof {LIKELY}",
        "judge:",
        f"call void @irsan_judge_unsafe_call(i32 {number}, i8 {int(is_heap)})",
        "br label %safe",
        "safe:",
    ]
