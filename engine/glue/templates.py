"""Glue that is fixed: the `.ll` files of templates/, made part of the runtime.

A template is LLVM assembly that `llvm-as` and editors take as it stands.  What it does not know by
itself is a symbol, as a linker has them: an external global whose address is the number.

    store i64 ptrtoint (ptr @events.REPORT to i64), ptr @ctx.event.number

Here each is replaced by that number (symbols.py), and its declaration is dropped.  Where LLVM wants
a literal (a case of a switch, the size of a type) the line ends with the name of what it must be:

    i32 1, label %report ; = actions.REPORT

A number that is not its name's is refused.  Functions that are defined elsewhere are declared at
the end of a template, kernels as `@k.<name>`; `join` drops such declarations once it has compared
them with the definitions.

Files in templates/inlined/ are linked into programs, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from irsan.engine.glue.symbols import value_of
from irsan.engine.glue.text import PROFILE_METADATA
from irsan.errors import InternalError

FOLDER: Final = Path(__file__).parent / "templates"
INLINED: Final = "inlined/"

_SYMBOL: Final = r'@("[^"\n]+"|[\w.$-]+)'
_EXTERNAL: Final = re.compile(rf"^{_SYMBOL} = external global i8\n", re.MULTILINE)
_NUMBER: Final = re.compile(rf"ptrtoint \(ptr {_SYMBOL} to i\d+\)")
_POINTER: Final = re.compile(rf"ptr {_SYMBOL}(?![\w.$(-])")
_LITERAL: Final = re.compile(r"^(.*) ; = (.+)$", re.MULTILINE)
_METADATA: Final = re.compile(r"^!\d+ = .*\n", re.MULTILINE)
_COMMENT: Final = re.compile(r"^;.*\n", re.MULTILINE)
_LIST: Final = r"(.*(?:\n  .*)*)"  # of parameters: lines that go on are indented
_DECLARED: Final = re.compile(rf"^declare ([^@\n]*){_SYMBOL}\({_LIST}\)[^)\n]*\n", re.MULTILINE)
_DEFINED: Final = re.compile(rf"^define ([^@\n]*){_SYMBOL}\(([^)]*)\)", re.MULTILINE)
_GLOBAL: Final = re.compile(rf"^{_SYMBOL} = (external )?(?:[a-z_]+ )*global .*\n", re.MULTILINE)
_TYPE: Final = re.compile(r"^(%[\w.]+) = type (.*)\n", re.MULTILINE)
_LINKAGES: Final = ("internal", "linkonce_odr", "extern_weak")


def names(prefix: str = "") -> list[str]:
    """Names of all templates whose name begins so: `act`, `inlined/bounds`, ..."""
    found = (path.relative_to(FOLDER).with_suffix("") for path in FOLDER.rglob("*.ll"))
    return sorted(str(name) for name in found if str(name).startswith(prefix))


def source(name: str) -> str:
    """The text of a template as it stands."""
    return (FOLDER / f"{name}.ll").read_text(encoding="ascii")


def template(name: str) -> str:
    """The text of a template with all numbers in place of their names."""
    return filled(source(name))


def filled(text: str) -> str:
    """LLVM assembly with numbers for symbols.  Raises InternalError where a number is wrong."""
    text = _LITERAL.sub(_checked, text)
    values = {name: value_of(name.strip('"')) for name in _EXTERNAL.findall(text)}
    text = _COMMENT.sub("", _EXTERNAL.sub("", text))
    for line in _METADATA.findall(text):
        if line not in PROFILE_METADATA:
            raise InternalError(f"a template has metadata of its own: {line.strip()}")

    def number(found: re.Match[str]) -> str:
        return str(values[found[1]]) if found[1] in values else found[0]

    def pointer(found: re.Match[str]) -> str:
        return f"ptr inttoptr (i64 {values[found[1]]} to ptr)" if found[1] in values else found[0]

    return _POINTER.sub(pointer, _NUMBER.sub(number, _METADATA.sub("", text)))


def join(texts: Iterable[str]) -> str:
    """One module's text of many: types first, each symbol and type once, no declaration of what is
    defined.

    Raises InternalError when two texts disagree on a function's type, or on a type's.
    """
    text = "\n".join(texts) + "\n"
    defined = {name: _prototype(kind, given) for kind, name, given in _DEFINED.findall(text)}
    variables = {name for name, is_external in _GLOBAL.findall(text) if not is_external}
    declared: dict[str, str] = {}

    def once(found: re.Match[str]) -> str:
        name, prototype = found[2], _prototype(found[1], found[3])
        known = defined.get(name) or declared.get(name, prototype)
        if known != prototype:
            raise InternalError(f"the glue declares @{name} as {prototype}, but it is {known}")
        is_needed = name not in defined and name not in declared
        declared[name] = prototype
        return found[0] if is_needed else ""

    def no_external(found: re.Match[str]) -> str:
        return "" if found[2] and found[1] in variables else found[0]

    types = dict(_TYPE.findall(text))
    for line in _TYPE.finditer(text):
        if types[line[1]] != line[2]:
            raise InternalError(f"the glue has two types {line[1]}")
    text = _DECLARED.sub(once, _GLOBAL.sub(no_external, _TYPE.sub("", text)))
    return "".join(f"{name} = type {what}\n" for name, what in types.items()) + text


def _checked(found: re.Match[str]) -> str:
    """A line with a literal, without its comment."""
    wanted = value_of(found[2])
    if not re.search(rf"(?<![\w.%@-]){wanted}\b", found[1]):
        raise InternalError(f"{found[2]} is {wanted}, but a template says: {found[1].strip()}")
    return found[1]


def _prototype(before: str, parameters: str) -> str:
    """Calling convention and types, of what is written before a function's name and behind it."""
    result = [word for word in before.split() if word not in _LINKAGES]
    kinds = [one.split()[0] for one in parameters.split(",") if one.strip()]
    return f"{' '.join(result)} ({', '.join(kinds)})"
