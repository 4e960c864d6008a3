"""The LLVM text of one kernel: numba's typing and lowering, and nothing behind them.

What a kernel calls is declared, not linked into it, so LLVM reads and optimises every kernel once,
in the linked runtime, instead of once in each kernel that leads to it.  Of numba's passes only
those run that can change a kernel: it has no closures, generators, exceptions or reference counts.

This leans on private parts of numba, the steps of its compiler.  Tests run what it makes beside
what numba makes of the same functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import bytecode, funcdesc, interpreter, lowering, ssa, transforms, typed_passes
from numba.core.compiler import Flags
from numba.core.ir_utils import build_definitions
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

from irsan.errors import InternalError
from irsan.runtime.kernels.language.quick_typing import type_quickly
from irsan.runtime.kernels.language.typing_rules import literals_like_neighbours
from irsan.runtime.kernels.language.value_calls import value_target

_bytecode: Any = bytecode
_canonical: Any = transforms.canonicalize_cfg
_definitions: Any = build_definitions
_Description: Any = funcdesc.PythonFunctionDescriptor
_Flags: Any = Flags
_infer: Any = typed_passes.type_inference_stage
_Lower: Any = lowering.Lower
_numba: Any = cpu_target
_reconstruct_ssa: Any = ssa.reconstruct_ssa
_Stack: Any = ConfigStack
_StripPhis: Any = typed_passes.PreLowerStripPhis
_ENVIRONMENT = ".environment"  # of Python globals, which no kernel looks at


_BaseInterpreter: Any = interpreter.Interpreter


class _Interpreter(_BaseInterpreter):  # type: ignore[misc]
    def post_process(self, _peepholes: Any, steps: Any) -> Any:
        """numba's rewriting of lists, dictionaries and `with`: kernels have none."""
        return steps


class _Module:
    """What numba takes for a library: one module, and no others to link with it."""

    def __init__(self, name: str) -> None:
        self.module: Any = ir.Module(name)

    def create_ir_module(self, _name: str) -> Any:
        return self.module

    def add_ir_module(self, _module: Any) -> None:
        """It is this one."""

    def add_linking_library(self, _other: Any) -> None:
        """numba's run-time support, which is offered to everybody: kernels do without."""


def kernel_text(function: Callable[..., Any], signature: Any, symbol: str, inlined: bool) -> str:
    """A definition of `symbol`, and declarations of what it calls.

    numba's errors for a body that does not compile, InternalError for one that only numba can link.
    """
    target, flags = value_target(), _flags(inlined)
    type_quickly()
    _numba.typing_context.refresh()  # intrinsics that were defined since
    library = _Module(symbol)
    with (
        literals_like_neighbours(), _Stack().enter(flags), target.push_code_library(library)
    ):  # fmt: skip
        steps = _steps(function)
        typed = _infer(
            _numba.typing_context, target, steps, signature.args, signature.return_type, {}
        )
        steps = _without_phis(steps)
        description = _Description.from_specialized_function(
            steps, *typed[:3], mangler=_mangler(symbol), inline=inlined,
            noalias=False, abi_tags=[],
        )  # fmt: skip
        _Lower(target, library, description, steps, metadata={}).lower()
    return _definition(str(library.module), symbol)


def _steps(function: Callable[..., Any]) -> Any:
    """numba's representation of a function, each variable assigned once."""
    identity = _bytecode.FunctionIdentity.from_function(function)
    steps = _Interpreter(identity).interpret(_bytecode.ByteCode(identity))
    steps.blocks = _canonical(steps.blocks)
    steps.generator_info = None
    steps = _reconstruct_ssa(steps)
    steps._definitions = _definitions(steps.blocks)
    return steps


def _without_phis(steps: Any) -> Any:
    steps = _StripPhis()._strip_phi_nodes(steps)
    steps._definitions = _definitions(steps.blocks)
    return steps


def _mangler(symbol: str) -> Callable[..., str]:
    """Names of what numba defines for a kernel: the same in every process and build."""

    def name_of(name: str, _types: Any, **_tags: Any) -> str:
        return symbol + (_ENVIRONMENT if ".NumbaEnv" in name else "")

    return name_of


def _definition(text: str, symbol: str) -> str:
    """Module text without its head, and without the environment that numba always defines."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("define "))
    kept = [line for line in lines[:first] if line.startswith("@") and _ENVIRONMENT not in line]
    if kept:
        raise InternalError(f"kernel {symbol} needs data of its own: {kept[0]}")
    return "\n".join(lines[first:]) + "\n"


@functools.cache
def _flags(inlined: bool) -> Any:
    flags = _Flags()
    options = {
        "nopython": True, "error_model": "numpy", "boundscheck": False, "forceinline": inlined,
        "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
    }  # fmt: skip
    _numba.options.parse_as_flags(flags, options)
    return flags
