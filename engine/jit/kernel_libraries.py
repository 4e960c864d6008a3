"""numba's code libraries, stopped at bitcode: what a build of the runtime needs of a kernel.

A build links the kernels' LLVM modules and never calls them, but numba makes machine code of each
one all the same, a fifth of the time that it takes.  `stop_at_bitcode` changes the libraries of
this process so that a kernel ends as optimised LLVM IR, in memory and in numba's cache.

Both kinds of cache entry can be read by both kinds of process.  This leans on private parts of
numba; a test compares what it gives with what numba does by itself.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from numba.core.types import Record

_Base: Any = JITCodeLibrary
_RecordType: Any = Record


class BitcodeLibrary(_Base):  # type: ignore[misc]
    """A library that is finished when its module is optimised."""

    def _optimize_final_module(self) -> None:
        """Only the full pipeline: what comes before prunes reference counts, and there are none."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """There is no machine code: always null."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> Any:
        """What numba keeps of it: bitcode."""
        return self.serialize_using_bitcode()


def stop_at_bitcode() -> None:
    """Let every kernel that this process compiles or loads end as bitcode.  Nothing can call it."""
    codegen: Any = cpu_target.target_context.codegen()
    codegen._library_class = BitcodeLibrary
    codegen.set_env = _without_environment
    _RecordType.__repr__ = _name_of  # of 60 fields, asked for at every use of one


def _without_environment(_name: str, _environment: object) -> None:
    """Nothing runs, so nothing asks for Python's globals."""


def _name_of(record: Any) -> str:
    return str(record.name)
