"""Glue for gaps of the arena: their shadow is filled by the fault handlers when it is looked at.

    a check reads the shadow of a gap    SIGSEGV; the page is opened and filled with fe; once more

Which ranges are gaps: arena_gaps.py.
"""

from __future__ import annotations

import signal
from typing import Final

from irsan.runtime.layout import memory_map

PAGE_BYTES: Final = 4096
INTERNAL: Final = 0xFE  # as in kernels/checks/shadow.py
_SEGV_ACCERR: Final = 2
_SI_CODE_OFFSET, _SI_ADDR_OFFSET = 8, 16


def gap_text() -> str:
    """LLVM text: whether a signal was a look at the shadow of a gap, which can be read now.

    Called by signal handlers; the instruction is to be run again.  @irsan_real_mprotect is filled
    in with the handlers (crash.py).
    """
    return f"""
@irsan_real_mprotect = global ptr null
define i1 @irsan_fill_gap(i32 %number, ptr %info) noinline nounwind {{
entry:
  %code.place = getelementptr i8, ptr %info, i64 {_SI_CODE_OFFSET}
  %code = load i32, ptr %code.place
  %addr.place = getelementptr i8, ptr %info, i64 {_SI_ADDR_OFFSET}
  %addr = load i64, ptr %addr.place
  %is.segv = icmp eq i32 %number, {int(signal.SIGSEGV)}
  %is.access = icmp eq i32 %code, {_SEGV_ACCERR}
  %offset = sub i64 %addr, {memory_map.ASAN_SHADOW}
  %is.shadow = icmp ult i64 %offset, {memory_map.ASAN_SHADOW_SIZE}
  %both = and i1 %is.segv, %is.access
  %ours = and i1 %both, %is.shadow
  br i1 %ours, label %open, label %other
open:
  %page.word = and i64 %addr, {-PAGE_BYTES}
  %page = inttoptr i64 %page.word to ptr
  %mprotect = load ptr, ptr @irsan_real_mprotect
  %status = call i32 %mprotect(ptr %page, i64 {PAGE_BYTES}, i32 3)
  %done = icmp eq i32 %status, 0
  br i1 %done, label %fill, label %other
fill:
  %at = phi i64 [ 0, %open ], [ %next, %fill ]
  %place = getelementptr i64, ptr %page, i64 %at
  store volatile i64 {INTERNAL * 0x0101_0101_0101_0101 - (1 << 64)}, ptr %place
  %next = add i64 %at, 1
  %more = icmp ult i64 %next, {PAGE_BYTES // 8}
  br i1 %more, label %fill, label %filled
filled:
  ret i1 true
other:
  ret i1 false
}}"""
