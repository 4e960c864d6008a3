"""A plugin for mypy: the number types of kernels are compatible with int, and not with each other.

mypy treats the native numbers of its own compiler so; this gives the same relation to the classes
of `irsan.runtime.kernels.scalars`, and leans on the same private parts of mypy.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import ClassDefContext, Plugin
from mypy.types import Instance

_MODULE = "irsan.runtime.kernels.scalars."
NUMBERS = frozenset(_MODULE + name for name in ("u8", "u16", "u32", "u64", "i32", "i64"))


class ScalarsPlugin(Plugin):
    """Relates each number type to int."""

    def get_customize_class_mro_hook(
        self, fullname: str
    ) -> Callable[[ClassDefContext], None] | None:
        return _relate_to_int if fullname in NUMBERS else None


def _relate_to_int(context: ClassDefContext) -> None:
    number = context.cls.info
    integer = context.api.named_type("builtins.int")
    number.alt_promote = Instance(integer.type, [])
    own = Instance(number, [])
    if own not in integer.type._promote:
        integer.type._promote.append(own)


def plugin(_version: str) -> type[Plugin]:
    """What mypy asks for."""
    return ScalarsPlugin
