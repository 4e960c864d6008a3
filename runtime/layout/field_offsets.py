"""Where a field of a record lies, for who reads records by address: the host, and LLVM text."""

from __future__ import annotations

from typing import Any

import numpy as np


def field_offset(dtype: np.dtype[np.void], path: str, index: int = 0) -> int:
    """Byte offset of a field of a record type, or of element `index` of an array field.

    path: a name, or names with dots between them for a field of a record in the record.
    Raises KeyError for one that is not there.
    """
    offset, kind = 0, dtype
    for name in path.split("."):
        kind, inner = _field(kind, name)
        offset += inner
    return offset + index * kind.base.itemsize


def _field(dtype: np.dtype[Any], name: str) -> tuple[np.dtype[Any], int]:
    fields = dtype.fields
    if fields is None or name not in fields:
        raise KeyError(f"{name} is no field of {dtype}")
    kind, offset = fields[name][:2]
    return kind, int(offset)
