"""Pointers that remember their object: random programs in C and what must be found in them.

    Program()             objects of all kinds, pointer variables, one line per operation
    verdicts()            line -> True: must be reported, False: must not, None: either

Each access goes to a live byte of a known object, reached from a pointer by a distance that the
program computes with integers, so that no compiler knows it.  It is right exactly when the pointer
was derived from that object.  A pointer that went through memory or a call begins anew where it
points: what lies there is its object then, and one past an object nothing is known. One that was
kept outside of its object may be used, and what it lay in says nothing from then on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Way = Literal["local", "argument", "memory"]
KINDS = ("heap", "stack", "global")
N_POINTERS = 3


@dataclass(frozen=True, slots=True)
class Object:
    """A named array of `size` bytes."""

    name: str
    kind: str
    size: int


OBJECTS = tuple(
    Object(f"{kind}_{letter}", kind, size)
    for kind in KINDS
    for letter, size in (("a", 96), ("b", 400))
)


@dataclass(slots=True)
class Program:
    """A C program under construction; `pointers` are (object, offset) of p0, p1, ..."""

    lines: list[str] = field(default_factory=list)
    verdicts: dict[int, bool | None] = field(default_factory=dict)
    pointers: list[tuple[Object, int]] = field(
        default_factory=lambda: [(OBJECTS[0], 0)] * N_POINTERS
    )
    outlain: set[Object] = field(default_factory=set)  # in which pointers of others were kept

    def __post_init__(self) -> None:
        self.lines += [
            "#include <stdint.h>", "#include <stdlib.h>", "typedef volatile char byte;",
            "static volatile long moved; static byte *kept; static volatile int yes = 1;",
            *(f"static byte {o.name}[{o.size}];" for o in OBJECTS if o.kind == "global"),
            "__attribute__((noinline)) static void put(byte *at, long by) {",
            "at[by] = 1;", "}",
            "__attribute__((noinline)) static byte *get(void) { return kept; }",
            "int main(void) {",
            *(f"byte {o.name}[{o.size}]; {o.name}[0] = 0;" for o in OBJECTS if o.kind == "stack"),
            *(f"byte *{o.name} = malloc({o.size});" for o in OBJECTS if o.kind == "heap"),
            *(f"byte *p{n} = {OBJECTS[0].name};" for n in range(N_POINTERS)),
        ]  # fmt: skip

    @property
    def put_line(self) -> int:
        """The line of the access inside the called function."""
        return self.lines.index("at[by] = 1;") + 1

    def take(self, number: int, source: Object, offset: int) -> None:
        """A pointer into an object, up to one past it."""
        self.lines.append(f"moved = {offset}; p{number} = {source.name} + moved;")
        self.pointers[number] = source, offset

    def choose(self, number: int, first: int, second: int, is_first: bool) -> None:
        """One of two pointers, by a condition that is not known before."""
        condition = "yes" if is_first else "!yes"
        self.lines.append(f"p{number} = {condition} ? p{first} : p{second};")
        self.pointers[number] = self.pointers[first if is_first else second]

    def walk(self, number: int, step: int, count: int) -> None:
        """A loop of steps, there and, when that leads out of the object, back again."""
        source, offset = self.pointers[number]
        loop = f"for (int i = 0; i < {count} * yes; i++) p{number} += "
        self.lines.append(f"{loop}{step};")
        if 0 <= offset + step * count <= source.size:
            self.pointers[number] = source, offset + step * count
        else:
            self.lines.append(f"{loop}{-step};")

    def access(self, number: int, target: Object, at: int, way: Way) -> None:
        """Write byte `at` of `target` through a pointer."""
        source, offset = self.pointers[number]
        distance = f"moved = (intptr_t)({target.name} + {at}) - (intptr_t)"
        if way == "local":
            self.lines.append(f"{distance}p{number};")
            self.lines.append(f"p{number}[moved] = 1;")
            may_miss = source is not target and source in self.outlain
            self.verdicts[len(self.lines)] = None if may_miss else source is not target
            return
        verdict = self._anew(source, offset, target)
        if way == "memory":
            self.lines.append(f"kept = p{number}; {distance}p{number};")
            self.lines.append("get()[moved] = 1;")
            self.verdicts[len(self.lines)] = verdict
            return
        self.lines.append(f"{distance}p{number}; put(p{number}, moved);")
        self.verdicts[self.put_line] = _either(self.verdicts.get(self.put_line, False), verdict)

    def outlie(self, number: int, target: Object, at: int, back: int) -> None:
        """Keep a pointer in byte `at` of `target`; write byte `back` of its own object by it."""
        source, _ = self.pointers[number]
        distance = f"(intptr_t)({target.name} + {at}) - (intptr_t)p{number}"
        self.lines.append(f"moved = {distance}; kept = p{number} + moved;")
        self.lines.append(f"moved = (intptr_t)({source.name} + {back}) - (intptr_t)kept;")
        self.lines.append("get()[moved] = 1;")
        self.verdicts[len(self.lines)] = False
        if target is not source:
            self.outlain.add(target)

    def _anew(self, source: Object, offset: int, target: Object) -> bool | None:
        """What is known of an access whose pointer begins at `offset` of `source`."""
        if source is target:
            return False
        is_known = source.kind == "heap" and offset < source.size and source not in self.outlain
        return True if is_known else None

    def text(self) -> str:
        """The whole program."""
        heap = [o.name for o in OBJECTS if o.kind == "heap"]
        ends = [*(f"free((void *){name});" for name in heap), "return 0;", "}"]
        return "\n".join([*self.lines, *ends, ""])


def _either(one: bool | None, other: bool | None) -> bool | None:
    """The verdict of a line that runs twice."""
    if one is True or other is True:
        return True
    return None if one is None or other is None else False
