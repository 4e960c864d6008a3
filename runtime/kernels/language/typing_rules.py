"""A literal beside a number has that number's type: `addr + 8` of a u64 is a u64.

numba gives every literal the type int64, so `addr + 8` would be signed, and `addr < 8` a comparison
of two floats.  While a kernel compiles, one rule stands in front of numba's own for each binary
operator, its form in place (`+=`) and each comparison:

    number op literal, literal op number    the literal has the type of the number
    number op member of an IntEnum          the same

Both hold if the type has room for the literal, or for every member of the enumeration.  A literal
is a number in the text, a constant of a module, or a variable that only ever has this value; one
that changes in a loop is an int64 unless it begins as `u64(0)`.

A second rule refuses a u64 beside any other signed number: numba would make a signed sum, and would
compare two floats, for which two addresses over 2**53 are equal.

What changes for others: nothing.  Other code that numba compiles in this process, another thread's
included, has numba's own rules: these are in force under its compiler lock, and taken away again.

This leans on a private part of numba, the list of typing templates of an operator.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate

from irsan.errors import InternalError

_Template: Any = AbstractTemplate
_compiler_lock: Any = global_compiler_lock
_Integer: Any = types.Integer
_Literal: Any = types.Literal
_IntegerLiteral: Any = types.IntegerLiteral
_IntEnumMember: Any = types.IntEnumMember

_ARITHMETIC: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift",
    "rshift",
)  # fmt: skip
_SHIFTS: Final = ("lshift", "rshift", "ilshift", "irshift")
COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
OPERATORS: Final = (
    *_ARITHMETIC,
    *(f"i{name.rstrip('_')}" for name in _ARITHMETIC),
    *COMPARISONS,
)


@contextmanager
def literals_like_neighbours() -> Iterator[None]:
    """Put the rules in front of numba's, for what is compiled inside.

    A kernel that is compiled because another one calls it finds them there and leaves them.
    """
    with _compiler_lock:
        cpu_target.typing_context.refresh()
        is_inner = any(is_ruled(one) for _, one in _operators())
        for name, one in _operators():
            if not is_ruled(one):
                one.templates = (_rule(name), *one.templates)
        try:
            yield
        finally:
            if not is_inner:
                _take_away()


def _take_away() -> None:
    """Leave numba's own; it makes a longer list of them when it loads more of itself."""
    for _, one in _operators():
        one.templates = tuple(each for each in one.templates if not issubclass(each, _Rule))


def is_ruled(function: Any) -> bool:
    """Whether the rules are in force for a function as numba's typing knows it."""
    templates: Any = getattr(function, "templates", ())
    return bool(templates) and issubclass(templates[0], _Rule)


def _operators() -> Iterator[tuple[str, Any]]:
    """What numba knows of each operator."""
    for name in OPERATORS:
        yield name, cpu_target.typing_context.resolve_value_type(getattr(operator, name))


class _Rule(_Template):  # type: ignore[misc]
    """The typing template of one operator, which is its key."""

    name = ""
    prefer_literal = True

    def generic(self, arguments: Any, _words: Any) -> Any:
        if len(arguments) != 2:
            return None
        kind = _common(*arguments)
        if kind is not None:
            return self.context.resolve_function_type(self.key, (kind, kind), {})
        if self.name not in _SHIFTS:
            _refuse_signed(self.name, *arguments)
        return None


@functools.cache
def _rule(name: str) -> Any:
    return type(f"{name} of a literal", (_Rule,), {"name": name, "key": getattr(operator, name)})


def _common(left: Any, right: Any) -> Any:
    """The type of the number beside a literal that fits; None for anything else."""
    for kind, other in ((left, right), (right, left)):
        is_number = isinstance(kind, _Integer) and not isinstance(kind, _Literal)
        if is_number and _fits(other, kind):
            return kind
    return None


def _fits(kind: Any, number: Any) -> bool:
    if isinstance(kind, _IntegerLiteral):
        values = [kind.literal_value]
    elif isinstance(kind, _IntEnumMember):
        values = [int(member) for member in kind.instance_class]
    else:
        return False
    return all(number.minval <= value <= number.maxval for value in values)


def _refuse_signed(name: str, left: Any, right: Any) -> None:
    """InternalError for a u64 and a signed number: one of them wants a cast."""
    for kind, other in ((left, right), (right, left)):
        if kind == types.uint64 and isinstance(other, _Integer) and other.signed:
            raise InternalError(f"a kernel has {left} {name} {right}: cast one of them")
