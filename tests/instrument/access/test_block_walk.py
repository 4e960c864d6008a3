"""Random control flow: no way leads to an access whose check stands on another way only."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.instrument.checked_ir import body, instrumented

N_POINTERS = 3
OPERATIONS = st.one_of(
    st.tuples(st.sampled_from(["load", "store"]), st.integers(0, N_POINTERS - 1)),
    st.tuples(st.sampled_from(["load", "store"]), st.integers(0, N_POINTERS - 1)),
    st.just(("call", 0)),
)
Block = tuple[list[tuple[str, int]], tuple[int, int]]
"""Operations, and the numbers of the blocks that may follow."""
_CHECK = re.compile(r"call void @__(?:a|t)san_(load|store|read|write)4\(ptr %p(\d)\)")
_ACCESS = re.compile(r"(load|store) i32.*, ptr %p(\d)")


@st.composite
def blocks(draw: st.DrawFn) -> list[Block]:
    """A function; its last block returns, edges lead mostly forward."""
    n = draw(st.integers(2, 8))
    made = []
    for number in range(n):
        operations = draw(st.lists(OPERATIONS, max_size=4))
        forward = st.integers(min(number + 1, n - 1), n - 1)
        anywhere = st.integers(1, n - 1)
        made.append((operations, (draw(forward), draw(st.one_of(forward, forward, anywhere)))))
    return made


def text_of(made: list[Block]) -> str:
    lines = ["declare void @g()", "define void @f(ptr %p0, ptr %p1, ptr %p2, i1 %c) {"]
    for number, (operations, (left, right)) in enumerate(made):
        lines.append(f"b{number}:")
        for at, (kind, pointer) in enumerate(operations):
            if kind == "call":
                lines.append("call void @g()")
            elif kind == "load":
                lines.append(f"%v{number}.{at} = load i32, ptr %p{pointer}, align 4")
            else:
                lines.append(f"store i32 0, ptr %p{pointer}, align 4")
        is_last = number == len(made) - 1
        lines.append("ret void" if is_last else f"br i1 %c, label %b{left}, label %b{right}")
    return "\n".join([*lines, "}"])


def lines_by_block(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in body(text, "f").splitlines()[1:]:
        label = re.match(r"(b\d+):", line)
        if label:
            current = found[label[1]] = []
        else:
            current.append(line.strip())
    return found


class Way:
    """One way through the function: which pointers have been checked on it, and how."""

    def __init__(self) -> None:
        self.checked: set[tuple[str, str]] = set()

    def walk(self, lines: list[str]) -> None:
        for at, line in enumerate(lines):
            check, access = _CHECK.search(line), _ACCESS.search(line)
            if check:
                kind, pointer = check.groups()
                kinds = {"store": ("load",), "load": ("load",), "write": ("write", "read")}
                self.checked |= {(one, pointer) for one in kinds.get(kind, (kind,))}
            elif "@g()" in line:
                self.checked.clear()
            elif access:
                self.judge(*access.groups(), lines[at + 1 :])

    def judge(self, kind: str, pointer: str, behind: list[str]) -> None:
        assert ("load", pointer) in self.checked  # what can be read can be written
        race = "read" if kind == "load" else "write"
        assert (race, pointer) in self.checked or (
            race == "read" and f"@__tsan_write4(ptr %p{pointer})" in until_call(behind)
        )


def until_call(lines: list[str]) -> str:
    """The rest of a block up to a call, where a write may stand for a read before it."""
    return "\n".join(lines).partition("@g()")[0]


@settings(max_examples=120, deadline=None)
@given(made=blocks(), choices=st.lists(st.booleans(), min_size=1, max_size=24))
def test_each_access_is_covered_on_every_way(made: list[Block], choices: list[bool]) -> None:
    lines, way = lines_by_block(instrumented(text_of(made))), Way()
    at, passed = 0, [0]
    for is_second in choices:
        way.walk(lines[f"b{at}"])
        if at == len(made) - 1:
            return
        at = made[at][1][is_second]
        if at in passed:  # around a loop: others may have freed and written since
            way.checked.clear()
        passed.append(at)


def test_a_check_on_both_ways_covers_what_follows() -> None:
    made: list[Block] = [
        ([], (1, 2)),
        ([("store", 0)], (3, 3)),
        ([("store", 0)], (3, 3)),
        ([("load", 0), ("store", 0)], (3, 3)),
    ]
    assert checks_of_last(made) == []
    made[2] = ([("load", 0)], (3, 3))
    assert checks_of_last(made) == [("write", "0")]


def checks_of_last(made: list[Block]) -> list[tuple[str, ...]]:
    """Kinds and pointers of the checks in the last block."""
    lines = lines_by_block(instrumented(text_of(made)))[f"b{len(made) - 1}"]
    return [found.groups() for line in lines if (found := _CHECK.search(line))]
