"""A small module for each intrinsic that LLVM knows: a function whose one call is of it.

    uses_of(["llvm.ctpop"])     {"llvm.ctpop": Use(head, lines, ...)}

Operands are plausible values: 4, 1.5, true, the address of a variable; what must be a literal or
metadata is tried until LLVM's verifier takes the module.
"""

from __future__ import annotations

import faulthandler
import itertools
import os
import pickle
import re
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from llvmlite import binding

from tests.support.debug_text import debug_text
from tests.support.llvm_inventory import declarations
from tests.support.room_text import room_text, show_text
from tests.support.written_uses import PARAMETERS, SETUP, WRITTEN

_ROOM_BYTES, _PLACE_BYTES = 256, 4096
_HEAD: Final = f"""target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-\
f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
{room_text(_ROOM_BYTES)}@place = global [{_PLACE_BYTES} x i8] zeroinitializer, align 64
@own = thread_local global i32 3
declare void @takes(ptr)
declare void @prepared(ptr preallocated(i32))
declare i32 @gives()
declare i32 @personality(...)
"""
_DEBUG: Final = debug_text("caller")
_NODES: Final = """!13 = !{!"rsp"}
!9 = distinct !{!9}
!10 = distinct !{!10, !9}
!11 = !{!10}
!12 = !{!"int", !"C", i1 false}
"""
_METADATA: Final = (
    '!"round.tonearest"', '!"fpexcept.strict"', '!"oeq"', '!"sgt"', "!13", "!11", '!"text"', "!12",
    "i32 0", "ptr @place",
)  # fmt: skip
_LITERALS: Final[dict[str, tuple[str, ...]]] = {
    "i1": ("false", "true"), "i8": ("1", "0"), "i16": ("1", "0"), "i32": ("1", "0", "4", "2"),
    "i64": ("1", "0"), "double": ("0.5",), "ptr": ("null", "@own", "@takes", "@place"),
}  # fmt: skip
_PLAIN: Final = {
    "i1": "true", "ptr": "@place", "float": "1.5", "double": "1.5", "token": "none",
    "half": "1.5", "bfloat": "1.5", "fp128": "0xL00000000000000003FFF800000000000",
}  # fmt: skip
_MOST_TRIED: Final = 600
_HEADS: Final = (
    "define void @caller({0})", "define void @caller({0}{1}...)",
    'define void @caller({0}) gc "statepoint-example"',
    "define void @caller({0}) personality ptr @personality",
)  # fmt: skip

# What no operand of a kind can show: lines in front of the call, and the call's own operands.
_ID: Final = "%t = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)"
_STATEPOINT: Final = (
    "%t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0("
    "i64 0, i32 0, ptr elementtype(void (ptr)) @takes, i32 1, i32 0, ptr @place, i32 0, i32 0)"
    ' [ "gc-live"(ptr @place) ]'
)
_PAD: Final = (
    "invoke void @takes(ptr null) to label %fine unwind label %switch",
    "fine:", "ret void",
    "switch:", "%s = catchswitch within none [label %pad] unwind to caller",
    "pad:", "%t = catchpad within %s [ptr null, i32 64, ptr null]",
)  # fmt: skip
_TOKENS: Final[tuple[tuple[str, ...], ...]] = (
    (_ID,), (SETUP,), (_STATEPOINT,), ("%t = call token @llvm.coro.save(ptr null)",), _PAD,
)  # fmt: skip
_TAKES: Final = "define void @takes(ptr %p) { ret void }"
_CLEAR: Final = f"""declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @clear() {{
  call void @llvm.memset.p0.i64(ptr @place, i8 0, i64 {_PLACE_BYTES}, i1 false)
  ret void
}}
"""


@dataclass(frozen=True, slots=True)
class Use:
    """A module with one function `caller` that calls the intrinsic.

    result: the type of what it gives, void if nothing.
    arguments: types and values that `caller` is given.
    """

    name: str
    declaration: str
    head: str
    lines: tuple[str, ...]
    result: str
    arguments: tuple[tuple[str, str], ...]

    def function(self, symbol: str, *, is_placed: bool = False) -> str:
        """The caller under another name; its result goes to @room."""
        place = ", !dbg !7" if is_placed else ""
        head = self.head.replace("@caller", f"@{symbol}")
        lines = [f"  {line}{place if not line.endswith(':') else ''}" for line in self.lines]
        if self.result not in ("void", "token"):
            lines += [f"  {line}{place}" for line in _stores(self.result)]
        return "\n".join([f"{head}{' !dbg !4' if is_placed else ''} {{", *lines,
                          f"  ret void{place}", "}"])  # fmt: skip

    @property
    def module(self) -> str:
        """The module, in which every instruction has line LINE."""
        return "\n".join([_HEAD, self.function("caller", is_placed=True), _DEBUG, _NODES])


def _stores(result: str) -> Iterator[str]:
    """Put %r into @room: each member of a structure, as what lies between them is undefined."""
    if not result.startswith("{"):
        yield f"store {result} %r, ptr @room"
        return
    members = re.split(r",(?![^<]*>)", result.strip("{} "))
    for index, member in enumerate(map(str.strip, members)):
        place = f"getelementptr (i8, ptr @room, i64 {index * _ROOM_BYTES // len(members)})"
        yield f"%m{index} = extractvalue {result} %r, {index}"
        yield f"store {member} %m{index}, ptr {place}, align 1"


def program_of(uses: Sequence[Use], not_shown: Container[str]) -> str:
    """A program that makes all uses in order; each prints the first bytes of its result.

    not_shown: names of those whose result differs from run to run; neither are pointers shown.
    """
    head = _HEAD.replace("declare void @takes(ptr)", _TAKES)
    parts, calls = [head, show_text(_ROOM_BYTES), _CLEAR], []
    for number, use in enumerate(uses):
        parts.append(use.function(f"use.{number}"))
        given = ", ".join([f"{kind} {value}" for kind, value in use.arguments])
        more = "(...)" if use.head.endswith("...)") and not use.arguments else ""
        if use.head.endswith("...)") and use.arguments:
            more = f"({', '.join([kind for kind, _ in use.arguments])}, ...)"
        calls.append(f"  call void {more} @use.{number}({given})".replace("  @", " @"))
        hides = use.name in not_shown or "ptr" in use.result
        calls.append(f"  call void @show(i1 {'false' if hides else 'true'})")
        calls.append("  call void @clear()")
    main = ["define i32 @main() {", *calls, "  ret i32 0", "}"]
    return "\n".join([*parts, *main, _NODES])


def uses_of(names: Sequence[str]) -> dict[str, Use]:
    """A use of each intrinsic for which one is found that LLVM takes, with code if possible.

    Types that do not fit each other end LLVM: it is asked in a child, which is started anew behind
    the name at which it has ended.
    """
    found = asked_apart(names, lambda name: next(filter(_is_right, _uses(name)), None))
    return {name: use for name, use in found.items() if use is not None}


def asked_apart(questions: Sequence[str], answer: Callable[[str], Any]) -> dict[str, Any]:
    """Answers from a child, which is started anew behind each question that ends it (None)."""
    found: dict[str, Any] = {}
    while len(found) < len(questions):
        waiting = questions[len(found) :]
        answers = _answers(waiting, answer)
        found |= dict(zip(waiting, [*answers, None], strict=False))
    return found


def _answers(questions: Sequence[str], answer: Callable[[str], Any]) -> list[Any]:
    """A child's answers, as many as it lives to give."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            faulthandler.disable()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(writer, "wb", buffering=0) as stream:
                for question in questions:
                    stream.write(pickle.dumps(answer(question)))
        finally:
            os._exit(0)
    os.close(writer)
    answers: list[Any] = []
    with os.fdopen(reader, "rb") as stream, suppress(EOFError, pickle.UnpicklingError):
        while True:
            answers.append(pickle.load(stream))
    os.waitpid(child, 0)
    return answers


def _is_right(use: Use) -> bool:
    context = binding.create_context()
    try:  # without debug info, or LLVM ends the process of what it does not like
        binding.parse_assembly(f"{_HEAD}{use.function('caller')}\n{_NODES}", context).verify()
    except RuntimeError:
        return False
    return True


def _uses(name: str) -> Iterator[Use]:
    if name in WRITTEN:
        head, lines, result = WRITTEN[name]
        arguments = [one for one in PARAMETERS if f"{one[0]} %a0" in head]
        yield Use(name, "", head, lines, result, tuple(arguments))
        return
    for declaration in declarations(name):
        result, symbol, parameters = _parsed(declaration)
        has_more = parameters[-1:] == ["..."]
        kinds = parameters[:-1] if has_more else parameters
        choices = [list(_operands(_type_of(one), one)) for one in kinds]
        fronts = _TOKENS if "token" in kinds else ((),)
        tried = itertools.product(_HEADS, fronts, *choices)
        for head, front, *operands in itertools.islice(tried, _MOST_TRIED):
            yield _use(name, declaration, (result, symbol, has_more), head, front, operands)


def _use(
    name: str, declaration: str, callee: tuple[str, str, bool], head: str,
    front: tuple[str, ...], operands: Sequence[_Operand],
) -> Use:  # fmt: skip
    result, symbol, has_more = callee
    kinds = [one.kind for one in operands]
    signature = f"{result} ({', '.join([*kinds, '...'])})" if has_more else result
    given = ", ".join([f"{one.kind} {one.value_as(n)}" for n, one in enumerate(operands)])
    bound = "" if result == "void" else "%r = "
    call = f"{bound}call {signature} @{symbol}({given})"
    opened = [(one, f"{one.kind} %a{n}") for n, one in enumerate(operands) if one.is_open]
    parameters = ", ".join([text for _, text in opened])
    return Use(
        name, declaration, head.format(parameters, ", " if parameters else ""), (*front, call),
        result, tuple([(one.kind, one.value) for one, _ in opened]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Operand:
    kind: str
    value: str
    is_open: bool = False

    def value_as(self, index: int) -> str:
        return f"%a{index}" if self.is_open else self.value


def _operands(kind: str, parameter: str) -> Iterator[_Operand]:
    """What an operand may be: a value that the caller gets, or a literal."""
    if kind == "metadata":
        literals = _METADATA
    elif kind == "token":
        literals = ("%t",)
    else:
        literals = _LITERALS.get(kind, ())
        if "immarg" not in parameter:
            yield _Operand(kind, _value(kind), is_open=True)
    for word in literals:
        yield _Operand(kind, word)


def _value(kind: str) -> str:
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind[0] == "i":
        return "4"
    if kind[0] != "<":
        return "zeroinitializer"
    count, _, element = kind[1:-1].partition(" x ")
    return f"<{', '.join([f'{element} {_value(element)}'] * int(count))}>"


_TYPE: Final = re.compile(r"(<[^>]*>|\{[^}]*\}|\[[^]]*\]|[\w.]+)")


def _parsed(declaration: str) -> tuple[str, str, list[str]]:
    """A `declare` line's result, name and parameters with their attributes."""
    head, _, rest = declaration.removeprefix("declare ").partition(" @")
    symbol, _, inner = rest.partition("(")
    found = re.search(r"(<[^>]*>|\{.*\}|[\w.]+)$", head)
    assert found is not None
    return found[0], symbol, _split(inner.rpartition(")")[0])


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "<({[") - (sign in ">)}]")
        if sign == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    return [one for one in [*parts, text[start:].strip()] if one]


def _type_of(parameter: str) -> str:
    found = _TYPE.match(parameter)
    assert found is not None
    return found[0]
