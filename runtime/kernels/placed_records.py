"""Records in memory to numba: a u64 whose attributes are loads and stores at fixed offsets."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)

from irsan.runtime.kernels.record import Placed

_Type: Any = types.Type
_Template: Any = AttributeTemplate
_PrimitiveModel: Any = models.PrimitiveModel
_register_model: Any = register_model
_infer_getattr: Any = infer_getattr
_lower_getattr: Any = lower_getattr_generic
_lower_setattr: Any = lower_setattr_generic


class PlacedType(_Type):  # type: ignore[misc]
    """numba's type of a record in memory."""

    def __init__(self, kind: type[Placed]) -> None:
        self.layout = kind.layout
        super().__init__(name=f"{kind.__module__}.{kind.__qualname__}")

    def field(self, name: str) -> tuple[Any, int] | None:
        """numba's type of a field and its offset; None when there is no number of that name."""
        fields: Any = self.layout.fields
        if name not in fields:
            return None
        kind, offset = fields[name][:2]
        return None if kind.names or kind.shape else (numba.from_dtype(kind), int(offset))


@_register_model(PlacedType)
class _Model(_PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: PlacedType) -> None:
        super().__init__(manager, kind, ir.IntType(64))


@_infer_getattr
class _Fields(_Template):  # type: ignore[misc]
    key = PlacedType

    def generic_resolve(self, kind: PlacedType, name: str) -> Any:
        found = kind.field(name)
        return None if found is None else found[0]


def _place(context: Any, builder: Any, kind: PlacedType, record: Any, name: str) -> Any:
    number, offset = kind.field(name) or (None, 0)
    addr = builder.add(record, ir.Constant(ir.IntType(64), offset))
    return builder.inttoptr(addr, context.get_value_type(number).as_pointer())


@_lower_getattr(PlacedType)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, kind: PlacedType, record: Any, name: str) -> Any:
    return builder.load(_place(context, builder, kind, record, name), align=1)


@_lower_setattr(PlacedType)  # type: ignore[untyped-decorator]
def _store(context: Any, builder: Any, signature: Any, values: Any, name: str) -> None:
    record, value = values
    builder.store(value, _place(context, builder, signature.args[0], record, name), align=1)
