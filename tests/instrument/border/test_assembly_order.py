"""Which inline assembly tells the race detector that it orders threads, and how."""

from __future__ import annotations

import pytest

from tests.instrument.checked_ir import body, check, instrumented

RELEASE, ACQUIRE = "call void @__tsan_release(ptr %p)", "call void @__tsan_acquire(ptr %p)"
EXCHANGE = 'call i32 asm sideeffect "xchgl $0, $1", "=*m,=q,*m,1,~{memory}"'


def checked(call: str, sanitizers: str = "thread") -> str:
    source = f"define i32 @f(ptr %p, i32 %n) sanitize_thread {{ {call} ret i32 %n }}"
    return body(instrumented(source, sanitizers), "f")


def test_an_exchange_releases_before_and_acquires_behind() -> None:
    place = "ptr elementtype(i32) %p"
    check(checked(f"%r = {EXCHANGE}({place}, {place}, i32 %n)"), RELEASE, "xchgl", ACQUIRE)


def test_a_store_releases_and_a_load_acquires() -> None:
    store = 'call void asm sideeffect "movl $1, $0", "=*m,q,~{memory}"'
    text = checked(f"{store}(ptr elementtype(i32) %p, i32 %n)")
    check(text, RELEASE, "movl")
    assert ACQUIRE not in text
    load = 'call i32 asm sideeffect "movl $1, $0", "=q,*m,~{memory}"'
    text = checked(f"%r = {load}(ptr elementtype(i32) %p)")
    check(text, "movl", ACQUIRE)
    assert RELEASE not in text


@pytest.mark.parametrize("sanitizers", ["address", "undefined"])
def test_nothing_is_told_where_races_are_not_looked_for(sanitizers: str) -> None:
    place = "ptr elementtype(i32) %p"
    assert "tsan" not in checked(f"%r = {EXCHANGE}({place}, {place}, i32 %n)", sanitizers)


def test_addresses_in_other_spaces_are_left_out() -> None:
    source = (
        "define void @f(ptr addrspace(256) %p) sanitize_thread {\n"
        '  call void asm sideeffect "lock; incl $0", "=*m,*m"('
        "ptr addrspace(256) elementtype(i32) %p, ptr addrspace(256) elementtype(i32) %p)\n"
        "  ret void\n}"
    )
    assert "__tsan_release" not in body(instrumented(source, "thread"), "f")
