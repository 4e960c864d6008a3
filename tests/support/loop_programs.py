"""Random C programs of loops over arrays, some of which leave them, use them late or race.

    program = draw(loop_programs())      C text; what decides a loop is read at run time

Each loop goes over arrays of the heap, of the program or of the stack: upwards, downwards, by
steps, by pointers, with conditions, with other ways out, nested.  An error is a bound that is too
far, an array that was freed, or a second thread that runs the same loops without a lock.  In
programs that are `partly_set` it is an element that was never given a value, and no bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

TYPES = ("unsigned char", "short", "int", "long", "double")
_HEAD = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct pair { int first; long second; };
static volatile long number[64] = {%s};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total[3];
"""


@dataclass(frozen=True, slots=True)
class Array:
    """An array of the program: its name, the type and the number of its elements."""

    name: str
    element: str
    n: int
    where: str
    n_set: str = ""  # the number of its elements that are given a value, where not all are


class _Numbers:
    """Numbers that the program reads from memory, so that the compiler knows none."""

    def __init__(self) -> None:
        self.values: list[int] = []

    def word(self, value: int) -> str:
        if len(self.values) == 64:
            return str(value)
        self.values.append(value)
        return f"number[{len(self.values) - 1}]"


@st.composite
def loop_programs(draw: Any, *, threads: bool = True, partly_set: bool = False) -> str:
    """A program whose loops may be wrong."""
    numbers = _Numbers()
    arrays = [
        Array(
            f"{'abcd'[i]}", draw(st.sampled_from(TYPES)), draw(st.integers(9, 90)),
            draw(st.sampled_from(("heap", "heap", "static", "stack"))),
        )
        for i in range(draw(st.integers(2, 4)))
    ]  # fmt: skip
    is_threaded = threads and draw(st.booleans())
    if is_threaded:
        arrays = [Array(one.name, one.element, one.n, "static") for one in arrays]
    if partly_set:
        left = st.sampled_from((0, 0, 0, 1, 1, 1, 2, 3, 9))
        arrays = [replace(one, n_set=numbers.word(one.n - draw(left))) for one in arrays]
    functions = [
        _function(draw, number, arrays, numbers) for number in range(draw(st.integers(1, 3)))
    ]
    frees = draw(st.integers(0, 6)) == 0
    body = _main(draw, arrays, len(functions), is_threaded=is_threaded, frees=frees)
    head = _HEAD % ", ".join(map(str, numbers.values or [0]))
    return head + _globals(arrays) + "".join(functions) + body


def _globals(arrays: list[Array]) -> str:
    return "".join(
        f"static {one.element} {one.name}_room[{one.n}];\n"
        for one in arrays if one.where == "static"
    )  # fmt: skip


def _parameters(arrays: list[Array]) -> str:
    return ", ".join(f"{one.element} *{one.name}" for one in arrays)


def _function(draw: Any, number: int, arrays: list[Array], numbers: _Numbers) -> str:
    loops = "".join(_loop(draw, arrays, numbers) for _ in range(draw(st.integers(1, 3))))
    return (
        f"__attribute__((noinline)) static long run{number}({_parameters(arrays)}) {{\n"
        f"  long sum = 0;\n{loops}  return sum;\n}}\n"
    )


def _loop(draw: Any, arrays: list[Array], numbers: _Numbers) -> str:
    one, other = draw(st.sampled_from(arrays)), draw(st.sampled_from(arrays))
    shape = draw(st.sampled_from(("up", "up", "down", "pointer", "while", "nested", "until")))
    n = min(one.n, other.n)
    beyond = draw(st.sampled_from((0, 0, 0, 0, 0, 0, 1, 2, 5, 30))) if not one.n_set else 0
    index = draw(st.sampled_from(("long", "int", "unsigned", "unsigned long")))
    signed = index if "unsigned" not in index else "int"
    step = draw(st.sampled_from((1, 1, 1, 2, 3)))
    margin = 2
    end = numbers.word(n - margin + beyond)
    count = draw(st.integers(1, 3))
    body = "".join(_statement(draw, one, other, numbers) for _ in range(count))
    limit = numbers.word(draw(st.integers(0, 400)))
    rows = numbers.word(draw(st.integers(1, 4)))
    upwards = f"for (long i = {margin}; i < e; i++)"
    held = ""
    if other.n_set:
        last = other.n - 1
        place = numbers.word(draw(st.sampled_from((last, last, last, last - 2, 0))))
        held = f"{other.element} held = {other.name}[{place}]; "
        body += draw(st.sampled_from(("", "sum += held;", *_uses_of_held(one.name))))
    loops = {
        "up": f"for ({index} i = {margin}; i < e; i += {step}) {{ {body} }}",
        "down": f"for ({signed} i = e - 1; i >= {margin}; i -= {step}) {{ {body} }}",
        "pointer": f"for ({one.element} *p = {one.name}, *q = p + e; p != q; p++)"
        " { sum += *p; *p = *p + 1; }",
        "while": f"long i = {margin}; while (i < e) {{ {body} i += {step}; }}",
        "until": f"{upwards} {{ {body} if (sum > {limit}) break; }}",
        "nested": f"for (long r = {rows}; r > 0; r--) {upwards} {{ {body} }}",
    }
    kind = {"up": index, "down": signed}.get(shape, "long")
    return f"  {{ {held}{kind} e = {end};\n    {loops[shape]} }}\n"


def _uses_of_held(name: str) -> list[str]:
    """What may set elements ahead of, or behind, those that other statements read."""
    return [
        f"{name}[i] += held;", f"sum += {name}[i - 2]; {name}[i] = held;",
        f"{name}[i - 2] = held; sum += {name}[i];",
    ]  # fmt: skip


def _statement(draw: Any, one: Array, other: Array, numbers: _Numbers) -> str:
    offset = draw(st.integers(-2, 2))
    there = draw(st.integers(-2, 2))
    kind = draw(st.integers(0, 7))
    target, source = f"{one.name}[i + ({offset})]", f"{other.name}[i + ({there})]"
    if kind == 0:
        return f"sum += {source};"
    if kind == 1:
        return f"{target} = {source} + 1;"
    if kind == 2:
        return f"if ({source} > 1) {target} = 3; else sum++;"
    if kind == 3:
        last = one.n - bool(one.n_set)
        return f"{one.name}[{numbers.word(draw(st.integers(0, last)))}] += i;"
    if kind == 4:
        return f"sum += {one.name}[(unsigned long){source} % {one.n}];"
    if kind == 5:
        return f"{target} += i;"
    if kind == 6:
        return f"sum += {source} + {one.name}[i];"
    return f"if (sum & 1) sum += {target};"


def _main(
    draw: Any, arrays: list[Array], n_functions: int, *, is_threaded: bool, frees: bool
) -> str:
    names = ", ".join(one.name for one in arrays)
    setting = "".join(_made(one) for one in arrays)
    calls = [draw(st.integers(0, n_functions - 1)) for _ in range(draw(st.integers(1, 4)))]
    steps = []
    for number in calls:
        locks = is_threaded and draw(st.booleans())
        call = f"total[self] += run{number}({names});"
        if locks:
            call = f"pthread_mutex_lock(&mutex); {call} pthread_mutex_unlock(&mutex);"
        steps.append(f"  {call}\n")
    heap = [one for one in arrays if one.where == "heap"]
    if frees and heap:
        steps.insert(draw(st.integers(0, len(steps))), f"  free({heap[0].name});\n")
    work = f"static void *work(void *p) {{\n  long self = (long)p;\n{setting}{''.join(steps)}"
    ends = "".join(f"  free({one.name});\n" for i, one in enumerate(heap) if not (frees and i == 0))
    text = f"{work}{ends}  return 0;\n}}\n"
    if not is_threaded:
        return text + 'int main(void) { work(0); printf("%ld\\n", total[0]); return 0; }\n'
    return text + (
        "int main(void) {\n  pthread_t other;\n"
        "  if (pthread_create(&other, 0, work, (void *)1)) return 1;\n"
        '  work(0);\n  pthread_join(other, 0);\n  printf("%ld\\n", total[0] + total[1]);\n}\n'
    )


def _made(one: Array) -> str:
    if one.where == "static":
        return f"  {one.element} *{one.name} = {one.name}_room;\n"
    if one.n_set:
        return _partly_set(one)
    if one.where == "stack":
        return (
            f"  {one.element} {one.name}_room[{one.n}] = {{1}}; "
            f"{one.element} *{one.name} = {one.name}_room;\n"
        )
    return (
        f"  {one.element} *{one.name} = calloc({one.n}, sizeof *{one.name}); "
        f"if (!{one.name}) exit(1);\n"
    )


def _partly_set(one: Array) -> str:
    room = f"{one.element} {one.name}_room[{one.n}], *{one.name} = {one.name}_room;"
    if one.where == "heap":
        room = (
            f"{one.element} *{one.name} = malloc({one.n} * sizeof *{one.name}); "
            f"if (!{one.name}) exit(1);"
        )
    return f"  {room} for (long i = 0; i < {one.n_set}; i++) {one.name}[i] = 1;\n"
