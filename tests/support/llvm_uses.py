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

from tests.support.llvm_inventory import declarations

LINE: Final = 41
_ROOM_BYTES, _PLACE_BYTES = 256, 4096
_HEAD: Final = f"""target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-\
f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@room = global [{_ROOM_BYTES} x i8] zeroinitializer, align 64
@place = global [{_PLACE_BYTES} x i8] zeroinitializer, align 64
@own = thread_local global i32 3
declare void @takes(ptr)
declare void @prepared(ptr preallocated(i32))
declare i32 @gives()
declare i32 @personality(...)
"""
_DEBUG: Final = f"""
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!2}}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{{i32 2, !"Debug Info Version", i32 3}}
!4 = distinct !DISubprogram(name: "caller", file: !1, line: 40, type: !5, unit: !0, \
spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{{null}}
!7 = !DILocation(line: {LINE}, column: 3, scope: !4)
"""
_NODES: Final = """!8 = !{!"rsp"}
!9 = distinct !{!9}
!10 = distinct !{!10, !9}
!11 = !{!10}
!12 = !{!"int", !"C", i1 false}
"""
_METADATA: Final = (
    '!"round.tonearest"', '!"fpexcept.strict"', '!"oeq"', '!"sgt"', "!8", "!11", '!"text"', "!12",
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
_SETUP: Final = "%t = call token @llvm.call.preallocated.setup(i32 1)"
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
    (_ID,), (_SETUP,), (_STATEPOINT,), ("%t = call token @llvm.coro.save(ptr null)",), _PAD,
)  # fmt: skip


_GC: Final = 'define void @caller() gc "statepoint-example"'
_CONVERGENT: Final = "define void @caller() convergent"
_STATEPOINT_OF: Final = (
    "%t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0("
    "i64 0, i32 0, ptr elementtype({}) @{}, i32 {}, i32 0, {}i32 0, i32 0)"
)
_ATOMIC_COPY: Final = (
    "element.unordered.atomic.p0.p0.i32(ptr align 4 %a0, ptr align 4 %a0, i32 4, i32 4)"
)
# Uses that need more than one call and operands of every kind: head, lines, result.
_WRITTEN: Final[dict[str, tuple[str, tuple[str, ...], str]]] = {
    "llvm.call.preallocated.arg": ("define void @caller()", (
        _SETUP, "%r = call ptr @llvm.call.preallocated.arg(token %t, i32 0) preallocated(i32)",
        'call void @prepared(ptr preallocated(i32) %r) ["preallocated"(token %t)]'), "ptr"),
    "llvm.callbr.landingpad": ("define void @caller()", (
        '%c = callbr i32 asm "", "=r,!i"() to label %direct [label %aside]', "direct:", "ret void",
        "aside:", "%r = call i32 @llvm.callbr.landingpad.i32(i32 %c)"), "i32"),
    "llvm.experimental.convergence.entry": (_CONVERGENT, (
        "%r = call token @llvm.experimental.convergence.entry()",), "token"),
    "llvm.experimental.convergence.loop": (_CONVERGENT, (
        "%t = call token @llvm.experimental.convergence.anchor()", "br label %loop", "loop:",
        '%r = call token @llvm.experimental.convergence.loop() ["convergencectrl"(token %t)]',
        "br i1 true, label %loop, label %done", "done:"), "token"),
    "llvm.experimental.deoptimize": ("define void @caller()", (
        'call void (...) @llvm.experimental.deoptimize.isVoid() ["deopt"()]',), "void"),
    "llvm.experimental.gc.relocate": (_GC, (
        "%p = load ptr addrspace(1), ptr @place",
        _STATEPOINT_OF.format("void (ptr)", "takes", 1, "ptr @place, ")
        + ' ["gc-live"(ptr addrspace(1) %p)]',
        "%r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)"),
        "ptr addrspace(1)"),
    "llvm.experimental.gc.result": (_GC, (
        _STATEPOINT_OF.format("i32 ()", "gives", 0, ""),
        "%r = call i32 @llvm.experimental.gc.result.i32(token %t)"), "i32"),
    "llvm.experimental.gc.statepoint": (_GC, (
        _STATEPOINT_OF.format("i32 ()", "gives", 0, ""),), "void"),
    "llvm.experimental.guard": ("define void @caller(i1 %a0)", (
        'call void (i1, ...) @llvm.experimental.guard(i1 %a0, i32 1) ["deopt"()]',), "void"),
    "llvm.gcroot": ('define void @caller() gc "shadow-stack"', (
        "%v = alloca ptr", "call void @llvm.gcroot(ptr %v, ptr null)"), "void"),
    "llvm.get.fpenv": ("define void @caller()", (
        "%e = call i256 @llvm.get.fpenv.i256()", "%r = trunc i256 %e to i16"), "i16"),
    "llvm.set.fpenv": ("define void @caller()", (
        "%e = call i256 @llvm.get.fpenv.i256()", "call void @llvm.set.fpenv.i256(i256 %e)"),
        "void"),
    "llvm.get.fpmode": ("define void @caller()", (
        "%r = call i64 @llvm.get.fpmode.i64()",), "i64"),
    "llvm.set.fpmode": ("define void @caller()", (
        "%m = call i64 @llvm.get.fpmode.i64()", "call void @llvm.set.fpmode.i64(i64 %m)"), "void"),
    "llvm.lifetime.start": ("define void @caller()", (
        "%v = alloca i32", "call void @llvm.lifetime.start.p0(ptr %v)"), "void"),
    "llvm.lifetime.end": ("define void @caller()", (
        "%v = alloca i32", "call void @llvm.lifetime.start.p0(ptr %v)",
        "call void @llvm.lifetime.end.p0(ptr %v)"), "void"),
    "llvm.llrint": ("define void @caller(float %a0)", (
        "%r = call i64 @llvm.llrint.i64.f32(float %a0)",), "i64"),
    "llvm.read_register": ("define void @caller()", (
        "%s = call i64 @llvm.read_register.i64(metadata !8)", "%r = icmp ne i64 %s, 0"), "i1"),
    "llvm.read_volatile_register": ("define void @caller()", (
        "%s = call i64 @llvm.read_volatile_register.i64(metadata !8)", "%r = icmp ne i64 %s, 0"),
        "i1"),
    "llvm.localrecover": ("define void @caller()", (
        "%v = alloca i32", "call void (...) @llvm.localescape(ptr %v)",
        "%r = call ptr @llvm.localrecover(ptr @caller, ptr null, i32 0)"), "ptr"),
    "llvm.memcpy.element.unordered.atomic": ("define void @caller(ptr %a0)", (
        f"call void @llvm.memcpy.{_ATOMIC_COPY}",), "void"),
    "llvm.memmove.element.unordered.atomic": ("define void @caller(ptr %a0)", (
        f"call void @llvm.memmove.{_ATOMIC_COPY}",), "void"),
    "llvm.memset.element.unordered.atomic": ("define void @caller(ptr %a0)", (
        "call void @llvm.memset.element.unordered.atomic.p0.i32("
        "ptr align 4 %a0, i8 1, i32 4, i32 4)",), "void"),
    "llvm.preserve.array.access.index": ("define void @caller(ptr %a0)", (
        "%r = call ptr @llvm.preserve.array.access.index.p0.p0("
        "ptr elementtype([4 x i32]) %a0, i32 0, i32 1)",), "ptr"),
    "llvm.preserve.struct.access.index": ("define void @caller(ptr %a0)", (
        "%r = call ptr @llvm.preserve.struct.access.index.p0.p0("
        "ptr elementtype({ i32, i32 }) %a0, i32 0, i32 1)",), "ptr"),
    "llvm.stackprotector": ("define void @caller(ptr %a0)", (
        "%v = alloca ptr", "call void @llvm.stackprotector(ptr %a0, ptr %v)"), "void"),
    "llvm.vector.partial.reduce.fadd": ("define void @caller(<4 x float> %a0)", (
        "%b = shufflevector <4 x float> %a0, <4 x float> %a0, <8 x i32> "
        "<i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>",
        "%r = call reassoc <4 x float> @llvm.vector.partial.reduce.fadd.v4f32.v8f32("
        "<4 x float> %a0, <8 x float> %b)"), "<4 x float>"),
}  # fmt: skip
_PARAMETERS: Final = (
    ("ptr", "@place"), ("float", "2.5"), ("i1", "true"),
    ("<4 x float>", "<float 1.0, float 2.0, float 3.0, float 4.0>"),
)  # fmt: skip
_TAKES: Final = "define void @takes(ptr %p) { ret void }"
SHOW: Final = f"""@form = private constant [5 x i8] c"%02x\\00"
declare i32 @printf(ptr, ...)
declare i32 @putchar(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @show(i1 %shown) {{
  call void @llvm.memset.p0.i64(ptr @place, i8 0, i64 {_PLACE_BYTES}, i1 false)
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %after ]
  %at = getelementptr i8, ptr @room, i64 %i
  %byte = load i8, ptr %at
  store i8 0, ptr %at
  %wide = zext i8 %byte to i32
  br i1 %shown, label %print, label %after
print:
  %n = call i32 (ptr, ...) @printf(ptr @form, i32 %wide)
  br label %after
after:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, {_ROOM_BYTES}
  br i1 %more, label %loop, label %done
done:
  %c = call i32 @putchar(i32 10)
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
            lines.append(f"  store {self.result} %r, ptr @room{place}")
        return "\n".join([f"{head}{' !dbg !4' if is_placed else ''} {{", *lines,
                          f"  ret void{place}", "}"])  # fmt: skip

    @property
    def module(self) -> str:
        """The module, in which every instruction has line LINE."""
        return "\n".join([_HEAD, self.function("caller", is_placed=True), _DEBUG, _NODES])


def program_of(uses: Sequence[Use], not_shown: Container[str]) -> str:
    """A program that makes all uses in order; each prints the first bytes of its result.

    not_shown: names of those whose result differs from run to run; neither are pointers shown.
    """
    parts, calls = [_HEAD.replace("declare void @takes(ptr)", _TAKES), SHOW], []
    for number, use in enumerate(uses):
        parts.append(use.function(f"use.{number}"))
        given = ", ".join([f"{kind} {value}" for kind, value in use.arguments])
        more = "(...)" if use.head.endswith("...)") and not use.arguments else ""
        if use.head.endswith("...)") and use.arguments:
            more = f"({', '.join([kind for kind, _ in use.arguments])}, ...)"
        calls.append(f"  call void {more} @use.{number}({given})".replace("  @", " @"))
        hides = use.name in not_shown or "ptr" in use.result
        calls.append(f"  call void @show(i1 {'false' if hides else 'true'})")
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
    if name in _WRITTEN:
        head, lines, result = _WRITTEN[name]
        arguments = [one for one in _PARAMETERS if f"{one[0]} %a0" in head]
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
