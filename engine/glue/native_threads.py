"""Glue in front of functions with which the C library makes threads of its own.

    mq_notify, aio_*,        with SIGEV_THREAD: a function of the program would run in such a
    lio_listio,              thread
    getaddrinfo_a
    clone                    with CLONE_THREAD
    irsan_create_gomp_thread what pthread_create is to GNU's OpenMP library, which waits by system
                             calls of its own

The last two are templates/threads/native_threads.ll.
They are refused by name (interceptors/threads/native_threads.py); with other arguments the C
library's own function is called: its threads touch no code of the program.

Source: sigevent(7), aio(7), clone(2); glibc's aio.h for the place of aio_sigevent.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from irsan.runtime.layout import libc_layout as libc

_SIGEV_THREAD: Final = libc.constant("SIGEV_THREAD")
_NOTIFY_AT: Final = libc.offset("struct sigevent.sigev_notify")
_AIO_NOTIFY_AT: Final = libc.offset("struct aiocb.aio_sigevent") + _NOTIFY_AT
GOMP_LIBRARY: Final = "libgomp.so"
GOMP_THREAD: Final = "irsan_create_gomp_thread"

#: name -> parameters, the one with the sigevent, where its kind is there
_NOTIFIED: Final = {
    "mq_notify": ("i32 %a0, ptr %a1", "%a1", _NOTIFY_AT),
    "getaddrinfo_a": ("i32 %a0, ptr %a1, i32 %a2, ptr %a3", "%a3", _NOTIFY_AT),
    **{f"lio_listio{end}": ("i32 %a0, ptr %a1, i32 %a2, ptr %a3", "%a3", _NOTIFY_AT)
       for end in ("", "64")},
    **{f"aio_{what}{end}": ("ptr %a0", "%a0", _AIO_NOTIFY_AT)
       for what in ("read", "write") for end in ("", "64")},
    **{f"aio_fsync{end}": ("i32 %a0, ptr %a1", "%a1", _AIO_NOTIFY_AT) for end in ("", "64")},
}  # fmt: skip
_THREAD_TEXT: Final = (
    "{0} with SIGEV_THREAD: the C library would run the function in a thread that irsan cannot "
    "schedule; take SIGEV_SIGNAL, or wait in a thread of the program"
)


def native_thread_glue() -> str:
    """LLVM text of the functions with a sigevent."""
    return "\n".join(_notified())


def _text(name: str, text: str) -> str:
    raw = text.encode()
    return f'@irsan_text_{name} = private constant [{len(raw) + 1} x i8] c"{text}\\00"'


def _notified() -> Iterator[str]:
    for name, (parameters, event, at) in _NOTIFIED.items():
        yield _text(name, _THREAD_TEXT.format(name))
        yield f"declare i32 @__irsan_real_{name}({parameters})"
        yield f"""
define i32 @__interceptor_{name}({parameters}) {{
  %given = icmp ne ptr {event}, null
  br i1 %given, label %look, label %real
look:
  %place = getelementptr i8, ptr {event}, i64 {at}
  %kind = load i32, ptr %place
  %runs = icmp eq i32 %kind, {_SIGEV_THREAD}
  br i1 %runs, label %refuse, label %real
refuse:
  call void @__interceptor_irsan_refuse_native_thread(ptr @irsan_text_{name})
  br label %real
real:
  %r = call i32 @__irsan_real_{name}({parameters})
  ret i32 %r
}}"""
