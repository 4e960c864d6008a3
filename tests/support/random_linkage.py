"""Random sets of small modules that share symbols, as Hypothesis strategies.

Every module uses all symbols that it knows, so that what LLVM's linker leaves out lazily, in an
order of its own, plays no part. Numbers tell definitions apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

_FUNCTIONS, _VARIABLES = ("f", "g", "h"), ("v", "w", "x")
_DEFINING = ("", "weak", "weak_odr", "linkonce", "linkonce_odr", "internal")
_WORDS = ("", "", "hidden", "protected")
_ADDRESS = ("", "", "unnamed_addr", "local_unnamed_addr")
_ANY, _DATA = ("any",), ("any", "largest", "exactmatch", "samesize", "nodeduplicate")
_GROUP = "group"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a set of modules may have.

    conflicts: names that several modules define for good;  data: comdats that compare contents.
    """

    conflicts: bool = True
    data: bool = True


def module_sets(shape: Shape) -> st.SearchStrategy[list[str]]:
    """Texts of two to four modules."""
    return st.integers(2, 4).flatmap(
        lambda count: st.tuples(*[_modules(number, shape) for number in range(count)]).map(list)
    )


@st.composite
def _modules(draw: st.DrawFn, number: int, shape: Shape) -> str:
    comdats: dict[str, str] = {}
    lines: list[str] = []
    names: list[str] = []
    if draw(st.booleans()):
        comdats[_GROUP] = "any"
    for name in (*_VARIABLES, *_FUNCTIONS):
        line = draw(_lines(name, number, shape, comdats))
        if line:
            names.append(name)
            lines.append(line)
    used = "\n".join(lines)
    heads = [
        f"${name} = comdat {kind}" for name, kind in comdats.items()
        if f"comdat(${name})" in used
    ]  # fmt: skip
    sink = f"@sink{number} = global [{len(names)} x ptr] ["
    sink += ", ".join(f"ptr @{name}" for name in names) + "]"
    return "\n".join([*heads, *lines, sink]) + "\n"


@st.composite
def _lines(
    draw: st.DrawFn, name: str, number: int, shape: Shape, comdats: dict[str, str]
) -> str:
    """One symbol of one module; empty when the module does not know it."""
    kind = draw(st.sampled_from(("", "declared", "defined", "defined", "defined", "alias")))
    if not kind:
        return ""
    words, address = draw(st.sampled_from(_WORDS)), draw(st.sampled_from(_ADDRESS))
    is_function = name in _FUNCTIONS
    if kind == "declared":
        words = f"{draw(st.sampled_from(('', '', 'extern_weak')))} {words}"
        if is_function:
            return f"declare {words} i32 @{name}() {address}"
        words = words if words.startswith("extern_weak") else f"external {words}"
        return f"@{name} = {words} {address} {draw(st.sampled_from(('global', 'constant')))} i32"
    linkage = draw(st.sampled_from(_DEFINING if shape.conflicts else _DEFINING[1:]))
    words = "" if linkage == "internal" else words
    if kind == "alias":
        own = "i32 ()" if is_function else "i32"
        body = f"define internal i32 @own.{name}() {{\n  ret i32 {number}\n}}" if is_function else (
            f"@own.{name} = internal global i32 {number}"
        )
        return f"{body}\n@{name} = {linkage} {words} {address} alias {own}, ptr @own.{name}"
    comdat = "" if linkage == "internal" else draw(_comdat(name, shape, comdats, is_function))
    if is_function:
        head = f"define {linkage} {words} i32 @{name}() {address} {comdat}"
        return f"{head} {{\n  ret i32 {number}\n}}"
    if not linkage and draw(st.integers(0, 3)) == 0:
        align = draw(st.sampled_from(("", ", align 16")))
        return f"@{name} = common {words} {address} global i32 0{align}"
    value = draw(st.sampled_from((f"i32 {number}", f"i64 {number}", "i32 7")))
    return f"@{name} = {linkage} {words} {address} global {value}{', ' if comdat else ''}{comdat}"


@st.composite
def _comdat(
    draw: st.DrawFn, name: str, shape: Shape, comdats: dict[str, str], is_function: bool
) -> str:
    choice = draw(st.sampled_from(("", "", "own", _GROUP)))
    if choice == _GROUP and _GROUP in comdats:
        return f"comdat(${_GROUP})"
    if choice == "own":
        kinds = _ANY if is_function or not shape.data else _DATA
        comdats[name] = draw(st.sampled_from(kinds))
        return f"comdat(${name})"
    return ""
