"""Random LLVM programs without undefined behaviour, for one engine against the other.

    random_program(seed, n_functions=12) -> LLVM text of a program that prints one checksum a line

Integers of many widths, float and double, vectors, aggregates, memory, casts, branches, switches,
loops with phis that swap, calls.  Divisors are made positive, shift amounts below the width, NaNs
are replaced before anybody looks at their bits: what is printed is the same under every engine.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

INTEGERS = ("i1", "i7", "i8", "i16", "i24", "i32", "i33", "i48", "i64", "i65", "i128", "i200")
FLOATS = ("float", "double")
VECTORS = ("<4 x i32>", "<2 x i64>", "<8 x i8>", "<3 x i16>", "<4 x i1>", "<2 x double>")
STRUCT = "{ i32, i8, i64, i16 }"
_MEMBERS = ("i32", "i8", "i64", "i16")
_ARITHMETIC = ("add", "sub", "mul", "and", "or", "xor")
_PREDICATES = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")
_FLOAT_PREDICATES = ("oeq", "one", "olt", "ole", "ogt", "oge", "ord",
                     "ueq", "une", "ult", "ule", "ugt", "uge", "uno")  # fmt: skip
_BUFFER_BYTES = 64


def width_of(kind: str) -> int:
    """Bits of an integer type."""
    return int(kind[1:])


@dataclass(slots=True)
class _Writer:
    """One function while it is written; `known` has the values that may be used, by type."""

    choose: random.Random
    name: str
    callees: list[str]
    lines: list[str] = field(default_factory=list)
    known: dict[str, list[str]] = field(default_factory=dict)
    block: str = "entry"
    count: int = 0

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def put(self, kind: str, text: str) -> str:
        """An instruction with a result."""
        name = self.new()
        self.lines.append(f"  {name} = {text}")
        self.known.setdefault(kind, []).append(name)
        return name

    def hidden(self, text: str) -> str:
        """An instruction whose result only its neighbours use."""
        name = self.new()
        self.lines.append(f"  {name} = {text}")
        return name

    def any(self, kind: str) -> str:
        """A value of a type: one that is known, or a constant."""
        known = self.known.get(kind, [])
        if known and self.choose.random() < 0.85:
            return self.choose.choice(known[-12:])
        return self.constant(kind)

    def constant(self, kind: str) -> str:
        if kind == "i1":
            return self.choose.choice(("true", "false"))
        if kind[0] == "i":
            bits = self.choose.choice((4, 16, 17, width_of(kind)))
            return str(self.choose.getrandbits(min(bits, width_of(kind) - 1)))
        if kind in FLOATS:
            return f"{self.choose.randint(-1000, 1000) / 8:e}"
        if kind.startswith("<"):
            count, element = kind[1:-1].split(" x ")
            inside = [f"{element} {self.constant(element)}" for _ in range(int(count))]
            return f"<{', '.join(inside)}>"
        return "{ " + ", ".join(f"{one} {self.constant(one)}" for one in _MEMBERS) + " }"

    def start_block(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name


def _integer_operation(w: _Writer) -> None:
    kind = w.choose.choice(INTEGERS)
    bits, left, right = width_of(kind), w.any(kind), w.any(kind)
    name = w.choose.choice((*_ARITHMETIC, "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem"))
    if name in ("shl", "lshr", "ashr"):
        right = "false" if bits == 1 else w.hidden(f"urem {kind} {right}, {bits}")
    elif name in ("udiv", "urem", "sdiv", "srem"):
        if bits == 1:
            return
        positive = w.hidden(f"lshr {kind} {right}, 1")
        right = w.hidden(f"or {kind} {positive}, 1")
    w.put(kind, f"{name} {kind} {left}, {right}")


def _comparison(w: _Writer) -> None:
    if w.choose.random() < 0.3:
        kind = w.choose.choice(FLOATS)
        name = f"fcmp {w.choose.choice(_FLOAT_PREDICATES)}"
    else:
        kind = w.choose.choice(INTEGERS)
        name = f"icmp {w.choose.choice(_PREDICATES)}"
    w.put("i1", f"{name} {kind} {w.any(kind)}, {w.any(kind)}")


def _resize(w: _Writer) -> None:
    small, large = sorted(w.choose.sample(INTEGERS, 2), key=width_of)
    if w.choose.random() < 0.5:
        w.put(small, f"trunc {large} {w.any(large)} to {small}")
    else:
        w.put(large, f"{w.choose.choice(('zext', 'sext'))} {small} {w.any(small)} to {large}")


def _float_operation(w: _Writer) -> None:
    kind = w.choose.choice(FLOATS)
    name = w.choose.choice(("fadd", "fsub", "fmul", "fdiv", "fneg", "cast", "resize", "back"))
    if name == "fneg":
        w.put(kind, f"fneg {kind} {w.any(kind)}")
    elif name == "cast":
        source = w.choose.choice(("i1", "i8", "i16", "i32", "i48", "i64"))
        w.put(kind, f"{w.choose.choice(('sitofp', 'uitofp'))} {source} {w.any(source)} to {kind}")
    elif name == "resize" and kind == "double":
        w.put("double", f"fpext float {w.any('float')} to double")
    elif name == "resize":
        w.put("float", f"fptrunc double {w.any('double')} to float")
    elif name == "back":
        number = w.hidden(f"sitofp i16 {w.any('i16')} to {kind}")
        target = w.choose.choice(("i24", "i32", "i48", "i64"))
        w.put(target, f"fptosi {kind} {number} to {target}")
    else:
        w.put(kind, f"{name} {kind} {w.any(kind)}, {w.any(kind)}")


def _selection(w: _Writer) -> None:
    kind = w.choose.choice((*INTEGERS, *FLOATS, *VECTORS, STRUCT))
    w.put(kind, f"select i1 {w.any('i1')}, {kind} {w.any(kind)}, {kind} {w.any(kind)}")


def _vector_operation(w: _Writer) -> None:
    kind = w.choose.choice(VECTORS)
    count, element = kind[1:-1].split(" x ")
    index = w.choose.randrange(int(count))
    what = w.choose.randrange(4)
    if what == 0:
        name = w.choose.choice(_ARITHMETIC) if element[0] == "i" else "fmul"
        w.put(kind, f"{name} {kind} {w.any(kind)}, {w.any(kind)}")
    elif what == 1:
        w.put(element, f"extractelement {kind} {w.any(kind)}, i32 {index}")
    elif what == 2:
        given = w.any(element)
        w.put(kind, f"insertelement {kind} {w.any(kind)}, {element} {given}, i64 {index}")
    else:
        lanes = ", ".join(f"i32 {w.choose.randrange(2 * int(count))}" for _ in range(int(count)))
        mask = f"<{count} x i32> <{lanes}>"
        w.put(kind, f"shufflevector {kind} {w.any(kind)}, {kind} {w.any(kind)}, {mask}")


def _member_operation(w: _Writer) -> None:
    index = w.choose.randrange(len(_MEMBERS))
    member = _MEMBERS[index]
    if w.choose.random() < 0.5:
        w.put(member, f"extractvalue {STRUCT} {w.any(STRUCT)}, {index}")
    else:
        given = w.any(member)
        w.put(STRUCT, f"insertvalue {STRUCT} {w.any(STRUCT)}, {member} {given}, {index}")


def _memory_operation(w: _Writer) -> None:
    kind = w.choose.choice((*INTEGERS, *FLOATS, "<4 x i32>", "<8 x i8>"))  # no padding bytes
    place = w.hidden(f"and i32 {w.any('i32')}, 31")
    steps = ("i8, ptr %buffer, i32", "[2 x i8], ptr %buffer, i64 0, i32", "i8, ptr %buffer, i64")
    step = w.choose.choice(steps)
    if step.endswith(" i64"):
        place = w.hidden(f"zext i32 {place} to i64")
    where = w.hidden(f"getelementptr {step} {place}")
    w.lines.append(f"  store {kind} {w.any(kind)}, ptr {where}, align 1")
    again = w.choose.choice(("i8", "i16", "i32", "i64", kind))
    if again[0] == "i" and width_of(again) % 8 == 0:  # a float's bytes may be a NaN's
        w.put(again, f"load {again}, ptr {where}, align 1")


def _call(w: _Writer) -> None:
    if w.callees:
        callee = w.choose.choice(w.callees)
        given = f"i64 {w.any('i64')}, i32 {w.any('i32')}, double {w.any('double')}"
        w.put("i64", f"call i64 @{callee}({given})")


def _intrinsic(w: _Writer) -> None:
    word = w.choose.choice(("umin", "umax", "smin", "smax", "ctpop", "bswap", "fabs", "fmuladd"))
    if word[0] == "f":
        kind = w.choose.choice(FLOATS)
        n_arguments, suffix = (1 if word == "fabs" else 3), "f32" if kind == "float" else "f64"
    else:
        kind = w.choose.choice(("i16", "i32", "i48", "i64") if word == "bswap" else INTEGERS)
        n_arguments, suffix = (2 if word[1:] in ("min", "max") else 1), kind
    given = ", ".join(f"{kind} {w.any(kind)}" for _ in range(n_arguments))
    w.put(kind, f"call {kind} @llvm.{word}.{suffix}({given})")


def _intrinsic_declarations() -> list[str]:
    lines = []
    for kind in INTEGERS:
        for word in ("umin", "umax", "smin", "smax"):
            lines.append(f"declare {kind} @llvm.{word}.{kind}({kind}, {kind})")
        lines.append(f"declare {kind} @llvm.ctpop.{kind}({kind})")
    lines += [f"declare {kind} @llvm.bswap.{kind}({kind})" for kind in ("i16", "i32", "i48", "i64")]
    for kind, suffix in (("float", "f32"), ("double", "f64")):
        lines.append(f"declare {kind} @llvm.fabs.{suffix}({kind})")
        lines.append(f"declare {kind} @llvm.fmuladd.{suffix}({kind}, {kind}, {kind})")
    return lines


_OPERATIONS: tuple[tuple[Callable[[_Writer], None], int], ...] = (
    (_integer_operation, 30), (_comparison, 12), (_resize, 12), (_float_operation, 14),
    (_selection, 8), (_vector_operation, 10), (_member_operation, 6), (_memory_operation, 14),
    (_intrinsic, 8), (_call, 1),
)  # fmt: skip


def _straight(w: _Writer, n: int) -> None:
    makers = [maker for maker, _ in _OPERATIONS]
    for maker in w.choose.choices(makers, [weight for _, weight in _OPERATIONS], k=n):
        maker(w)


def _arm(w: _Writer, name: str, end: str, kinds: list[str]) -> tuple[str, list[str]]:
    """A block of its own that ends at `end`: its name and one value of each kind."""
    before = {kind: list(values) for kind, values in w.known.items()}
    w.start_block(name)
    _straight(w, 5)
    values = [w.any(kind) for kind in kinds]
    w.lines.append(f"  br label %{end}")
    w.known = before
    return w.block, values


def _branches(w: _Writer, number: int) -> None:
    """A diamond or a switch whose arms meet in phis."""
    kinds = w.choose.choices((*INTEGERS, *FLOATS, *VECTORS), k=4)
    n_arms = w.choose.choice((2, 2, 4))
    arms = [f"arm{number}.{i}" for i in range(n_arms)]
    if n_arms == 2:
        w.lines.append(f"  br i1 {w.any('i1')}, label %{arms[0]}, label %{arms[1]}")
    else:
        kind = w.choose.choice(("i8", "i32", "i64", "i65"))
        spread = w.choose.choice((1, 1, 1000))
        cases = " ".join(f"{kind} {(i * spread) % 120 if kind == 'i8' else i * spread}, "
                         f"label %{arm}" for i, arm in enumerate(arms[1:], 1))  # fmt: skip
        chosen = w.hidden(f"and {kind} {w.any(kind)}, 3")
        w.lines.append(f"  switch {kind} {chosen}, label %{arms[0]} [ {cases} ]")
    reached = [_arm(w, arm, f"met{number}", kinds) for arm in arms]
    w.start_block(f"met{number}")
    for index, kind in enumerate(kinds):
        pairs = ", ".join(f"[ {values[index]}, %{name} ]" for name, values in reached)
        w.put(kind, f"phi {kind} {pairs}")


def _loop(w: _Writer, number: int) -> None:
    """A counted loop; two of its phis change places every time."""
    kind, other = w.choose.choice(INTEGERS), w.choose.choice((*FLOATS, "<4 x i32>"))
    first, second, third = w.any(kind), w.any(kind), w.any(other)
    head, origin = f"loop{number}", w.block
    w.lines.append(f"  br label %{head}")
    w.start_block(head)
    fixed = len(w.lines)
    turn, a, b, c = w.new(), w.new(), w.new(), w.new()
    for one, name in ((kind, a), (kind, b), (other, c)):
        w.known.setdefault(one, []).append(name)
    _straight(w, 8)
    following = w.hidden(f"add i32 {turn}, 1")
    fresh, last = w.any(other), w.any(kind)
    w.lines[fixed:fixed] = [
        f"  {turn} = phi i32 [ 0, %{origin} ], [ {following}, %{head} ]",
        f"  {a} = phi {kind} [ {first}, %{origin} ], [ {b}, %{head} ]",
        f"  {b} = phi {kind} [ {second}, %{origin} ], [ {w.choose.choice((a, last))}, %{head} ]",
        f"  {c} = phi {other} [ {third}, %{origin} ], [ {fresh}, %{head} ]",
    ]
    end = w.hidden(f"icmp ult i32 {following}, {w.choose.randint(2, 9)}")
    w.lines.append(f"  br i1 {end}, label %{head}, label %after{number}")
    w.start_block(f"after{number}")


def _fold(w: _Writer) -> str:
    """All values into one word."""
    total = "0"
    for kind, values in w.known.items():
        for value in values[-10:]:
            word = _to_word(w, kind, value)
            mixed = w.hidden(f"mul i64 {total}, 1099511628211")
            total = w.hidden(f"xor i64 {mixed}, {word}")
    return total


def _to_word(w: _Writer, kind: str, value: str) -> str:
    if kind in FLOATS:
        bits = "i32" if kind == "float" else "i64"
        is_nan = w.hidden(f"fcmp uno {kind} {value}, {value}")
        real = w.hidden(f"select i1 {is_nan}, {kind} 7.0e+00, {kind} {value}")
        return _to_word(w, bits, w.hidden(f"bitcast {kind} {real} to {bits}"))
    if kind == "<2 x double>":
        return _to_word(w, "double", w.hidden(f"extractelement {kind} {value}, i32 1"))
    if kind.startswith("<"):
        count, element = kind[1:-1].split(" x ")
        bits = f"i{int(count) * width_of(element)}"
        return _to_word(w, bits, w.hidden(f"bitcast {kind} {value} to {bits}"))
    if kind == STRUCT:
        return _to_word(w, "i64", w.hidden(f"extractvalue {kind} {value}, 2"))
    if width_of(kind) > 64:
        upper = w.hidden(f"lshr {kind} {value}, {width_of(kind) - 64}")
        value = w.hidden(f"xor {kind} {value}, {upper}")
        return w.hidden(f"trunc {kind} {value} to i64")
    return value if kind == "i64" else w.hidden(f"zext {kind} {value} to i64")


def _function(choose: random.Random, name: str, callees: list[str]) -> str:
    w = _Writer(choose, name, callees)
    w.known = {"i64": ["%a"], "i32": ["%b"], "double": ["%c"]}
    w.lines = [
        "entry:", f"  %buffer = alloca [{_BUFFER_BYTES} x i8], align 16",
        f"  call void @llvm.memset.p0.i64(ptr %buffer, i8 3, i64 {_BUFFER_BYTES}, i1 false)",
    ]  # fmt: skip
    for number in range(3):
        _straight(w, 10)
        choose.choice((_branches, _loop))(w, number)
    _straight(w, 4)
    total = _fold(w)
    head = f"define i64 @{name}(i64 %a, i32 %b, double %c) {{"
    return "\n".join([head, *w.lines, f"  ret i64 {total}", "}"])


def random_program(seed: int, n_functions: int = 12) -> str:
    """LLVM text of a whole program: the functions, and a main that calls each three times."""
    choose = random.Random(seed)
    names = [f"f{i}" for i in range(n_functions)]
    texts = [_function(choose, name, names[:i]) for i, name in enumerate(names)]
    calls = []
    for number, name in enumerate(names * 3):
        given = (f"i64 {choose.getrandbits(63)}, i32 {choose.getrandbits(31)}, "
                 f"double {choose.randint(-99, 99)}.5")  # fmt: skip
        calls.append(f"  %r{number} = call i64 @{name}({given})")
        calls.append(f"  call i32 (ptr, ...) @printf(ptr @text, i64 %r{number})")
    main = "\n".join(["define i32 @main() {", *calls, "  ret i32 0", "}"])
    declared = (
        'target triple = "x86_64-unknown-linux-gnu"\n'
        '@text = private constant [8 x i8] c"%016lx\\0A\\00"\n'
        "declare i32 @printf(ptr, ...)\n"
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    )
    return "\n\n".join([declared, *_intrinsic_declarations(), *texts, main]) + "\n"
