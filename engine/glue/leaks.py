"""Glue for leak searches: where the caller stands, and whether the program wants one.

    exit, __lsan_do_leak_check, ...   machine code: keep stack pointer and registers of the caller
                                      (runtime/records/leak_records.py), then go on in LLVM text
    __irsan_wants_leaks               the program's own __lsan_is_turned_off, its suppressions
    __irsan_search_at_exit            lets the host search once the guest has left

The block is written before any prologue, so what counts as the caller's stack holds no word of
ours, and a register that the caller keeps a pointer in is where the caller left it.
"""

from __future__ import annotations

from irsan.engine.glue.text import context_field
from irsan.runtime.records import leak_records as lr


def leak_glue() -> str:
    """LLVM text of all of it."""
    return "\n".join(
        [
            _entry("__interceptor_exit", lr.AT_EXIT_CALLER, "__irsan_exit"),
            _entry("__lsan_do_leak_check", lr.ON_DEMAND_CALLER, "__irsan_search_or_end"),
            _entry(
                "__lsan_do_recoverable_leak_check",
                lr.ON_DEMAND_CALLER,
                "__irsan_search_and_go_on",
            ),
            _wishes(),
            _searches(),
        ]
    )


def _entry(name: str, block: int, target: str) -> str:
    """A function that fills a caller's block and goes on as `target`."""
    stores = [
        f"movq %{register}, {8 * index}(%r11)"
        for index, register in enumerate(lr.CALLER_REGISTERS, start=1)
    ]
    lines = [
        ".text", ".p2align 4", f".globl {name}", f".type {name}, @function", f"{name}:",
        f"movabsq ${block}, %r11", "leaq 8(%rsp), %r10", "movq %r10, (%r11)", *stores,
        f"jmp {target}", f".size {name}, .-{name}",
    ]  # fmt: skip
    return "\n".join(f'module asm "{line}"' for line in lines)


def _wishes() -> str:
    turned_off = context_field("leaks", lr.TURNED_OFF_FUNCTION)
    suppressions = context_field("leaks", lr.SUPPRESSIONS_FUNCTION)
    return f"""
define i1 @__irsan_wants_leaks() noinline cold {{
  %switch = load ptr, {turned_off}
  %unswitched = icmp eq ptr %switch, null
  br i1 %unswitched, label %on, label %ask
ask:
  %answer = call i32 %switch()
  %is.on = icmp eq i32 %answer, 0
  br i1 %is.on, label %on, label %off
off:
  ret i1 false
on:
  %teller = load ptr, {suppressions}
  %untold = icmp eq ptr %teller, null
  br i1 %untold, label %ready, label %tell
tell:
  %text = call ptr %teller()
  store ptr %text, {context_field("leaks", lr.SUPPRESSIONS_TEXT)}
  br label %ready
ready:
  ret i1 true
}}"""


def _searches() -> str:
    return f"""
define void @__irsan_search_at_exit() noinline cold {{
  %asked = load i64, {context_field("leaks", lr.SEARCHES_AT_EXIT)}
  %unasked = icmp eq i64 %asked, 0
  br i1 %unasked, label %done, label %ask
ask:
  %wanted = call i1 @__irsan_wants_leaks()
  %word = zext i1 %wanted to i64
  store i64 %word, {context_field("leaks", lr.IS_PENDING)}
  br label %done
done:
  ret void
}}
define void @__irsan_search_or_end() {{
  %wanted = call i1 @__irsan_wants_leaks()
  br i1 %wanted, label %search, label %done
search:
  call void @__interceptor_irsan_do_leak_check()
  br label %done
done:
  ret void
}}
define i32 @__irsan_search_and_go_on() {{
  %wanted = call i1 @__irsan_wants_leaks()
  br i1 %wanted, label %search, label %done
search:
  %found = call i32 @__interceptor_irsan_do_recoverable_leak_check()
  ret i32 %found
done:
  ret i32 0
}}"""
