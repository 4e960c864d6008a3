"""The built runtime as one value.

    runtime.o     all hooks, interceptors, control functions and host-callable kernels
    hot.ll        the hot hooks as available_externally: linked into programs so LLVM can inline
    names.json    routine numbers -> interceptor names, and how each export is served

The three live in the cache under a hash of all kernel sources (stored.py), so a warm run imports no
numba.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from irsan.engine.headed_bytes import join_head, read_head


@dataclass(frozen=True, slots=True)
class RuntimeImage:
    """The built runtime: object bytes, hot module text, and the export table in routine order."""

    object_bytes: bytes
    hot_text: str
    routines: tuple[dict[str, Any], ...]

    def encoded(self) -> bytes:
        """All in one, for a wheel."""
        head = json.dumps([self.hot_text, self.routines]).encode()
        return join_head(head, self.object_bytes)

    @classmethod
    def decoded(cls, raw: bytes) -> RuntimeImage:
        """What `encoded` wrote."""
        head, begin = read_head(raw)
        hot_text, routines = json.loads(head)
        return cls(raw[begin:], hot_text, tuple(routines))

