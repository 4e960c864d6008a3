"""The linked runtime: where its functions are, and how Python calls its kernels."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

from irsan.engine.glue.cpu import NAMES as CPU_NAMES
from irsan.engine.glue.soft_floats import NAMES as SOFT_FLOATS
from irsan.engine.glue.soft_floats import PREFIX as SOFT_PREFIX
from irsan.engine.guest.cpu_model import fill_cpu_model
from irsan.engine.linker.linker import Linker
from irsan.engine.linker.native_symbols import host_symbol
from irsan.engine.linker.sections import AddressRange, Segment
from irsan.engine.runtime_image.image import RuntimeImage
from irsan.runtime.layout import memory_map
from irsan.runtime.layout.memory_map import CONTEXT_SYMBOL

_REAL_PREFIX = "__irsan_real_"
_INTERCEPTOR_PREFIX = "__interceptor_"
_OWN_PREFIXES = ("__asan_", "__tsan_", "__ubsan_", "__irsan_", _INTERCEPTOR_PREFIX)


class LinkedRuntime:
    """The runtime object at its fixed addresses."""

    def __init__(self, image: RuntimeImage) -> None:
        middle = (memory_map.RUNTIME_CODE_LO + memory_map.RUNTIME_CODE_HI) // 2
        self._linker = Linker(
            AddressRange(memory_map.RUNTIME_CODE_LO, middle),
            AddressRange(middle, memory_map.RUNTIME_CODE_HI),
            resolve=_real_function,
        )
        self._linker.add_object(image.object_bytes, "runtime")
        self._linker.link()
        n_prefix = len(_INTERCEPTOR_PREFIX)
        self._interceptors = {
            name[n_prefix:]: address
            for name, address in self._linker.symbols.items()
            if name.startswith(_INTERCEPTOR_PREFIX)
        }  # a library asks for thousands of names
        self._kernels: dict[str, Callable[..., int]] = {}

    @property
    def symbols(self) -> Mapping[str, int]:
        """Every symbol of the runtime."""
        return self._linker.symbols

    def prepare(self) -> None:
        """Find out beforehand what every program that is linked asks for."""
        fill_cpu_model(self.symbols)

    @property
    def segments(self) -> list[Segment]:
        """Pages of the runtime, with their protection."""
        return self._linker.segments

    def resolve(self, name: str) -> int | None:
        """Address that a program's symbol binds to: an interceptor, a hook, or nothing.

        Routines of compilers that the host's libgcc lacks are ours, too.
        """
        if name in CPU_NAMES:
            fill_cpu_model(self.symbols)
        if name == CONTEXT_SYMBOL:
            return memory_map.CONTEXT_ADDR
        if name == "__tls_get_addr":
            return self.symbols["__irsan_tls_get_addr"]
        found = self._interceptors.get(name)
        if found is None and name.startswith(_OWN_PREFIXES):
            found = self.symbols.get(name)
        if found is None and name.startswith(("__sanitizer_", "__lsan_")):
            found = self.symbols.get(name)
        if name in SOFT_FLOATS and host_symbol(name) is None:
            found = self.symbols[SOFT_PREFIX + name]
        return found

    def intercepts(self, name: str) -> int | None:
        """Address of the interceptor of `name`, for imports of native libraries."""
        return self._interceptors.get(name)

    def kernel(self, name: str, *arguments: int) -> int:
        """Call a host kernel (`build.HOST_KERNELS`) with unsigned words; returns such a word."""
        function = self._kernels.get(name)
        if function is None:
            words = [ctypes.c_uint64] * len(arguments)
            prototype: Any = ctypes.CFUNCTYPE(ctypes.c_uint64, *words)
            function = prototype(self.symbols[f"irsan_k_{name}"])
            self._kernels[name] = function
        return int(function(*arguments))


def _real_function(name: str) -> int | None:
    if not name.startswith(_REAL_PREFIX):
        return None
    plain = name[len(_REAL_PREFIX) :]
    if not plain.startswith("__isoc23_"):
        return host_symbol(plain)
    older = plain.removeprefix("__isoc23_")
    return host_symbol(plain) or host_symbol(f"__isoc99_{older}") or host_symbol(older)
