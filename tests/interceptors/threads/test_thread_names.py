"""Names of threads."""

from __future__ import annotations

import ctypes

from irsan.interceptors.threads import thread_names, threads
from tests.support.green import HANDLES, Body, GreenGuest, run

RESULT, TEXT = HANDLES + 0x100, HANDLES + 0x400
ESRCH, ERANGE = 3, 34


def test_names_are_cut_at_15_bytes(green: GreenGuest) -> None:
    def name(raw: bytes) -> int:
        ctypes.memset(TEXT, 0x7F, 64)
        ctypes.memmove(TEXT, raw + b"\0", len(raw) + 1)
        return TEXT

    def main() -> Body:
        me = int((yield (threads.i_pthread_self,)))
        for raw in (b"", b"worker", b"a name of fifteen and more"):
            assert (yield thread_names.i_pthread_setname, me, name(raw)) == 0
            assert (yield thread_names.i_pthread_getname, me, RESULT, 16) == 0
            assert ctypes.string_at(RESULT) == raw[:15]
        assert (yield thread_names.i_pthread_getname, me, RESULT, 15) == ERANGE
        assert (yield thread_names.i_pthread_setname, 12, TEXT) == ESRCH
        assert (yield thread_names.i_pthread_getname, 12, RESULT, 16) == ESRCH
        assert (yield threads.i_pthread_equal, me, me) == 1
        assert (yield threads.i_pthread_equal, me, 12) == 0
        return 0

    assert run(green, main()) == "ended"
