"""How kernels call each other in the built runtime: plain functions that return their value.

numba's own convention returns a status and stores the value, for the sake of exceptions, and each
caller looks at the status. Kernels have no exceptions; where numba would raise one (a range of step
zero, a place that a tuple does not have) a kernel returns zero.

This leans on private parts of numba: its conventions and its target.
"""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import callconv, cpu
from numba.core.registry import cpu_target

from irsan.errors import InternalError

_BaseCallConv: Any = callconv.BaseCallConv
_CPUContext: Any = cpu.CPUContext
_create_error_model: Any = callconv.create_error_model


class ValueCallConv(_BaseCallConv):  # type: ignore[misc]
    """`value f(arguments...)`, in numba's terms."""

    def _make_call_helper(self, _builder: Any) -> None:
        """Nothing is kept between two calls."""

    def return_value(self, builder: Any, value: Any) -> None:
        """Leave the kernel."""
        if isinstance(builder.function.ftype.return_type, ir.VoidType):
            builder.ret_void()
        else:
            builder.ret(value)

    def return_user_exc(self, builder: Any, *_exception: Any, **_details: Any) -> None:
        """Leave the kernel where numba would raise."""
        kind = builder.function.ftype.return_type
        zero = None if isinstance(kind, ir.VoidType) else ir.Constant(kind, None)
        self.return_value(builder, zero)

    def get_function_type(self, result: Any, arguments: Any) -> Any:
        """The LLVM type of a kernel."""
        kinds = self._get_arg_packer(arguments).argument_types
        return ir.FunctionType(self._result_type(result), list(kinds))

    def decorate_function(self, function: Any, names: Any, arguments: Any, **_flags: Any) -> None:
        """Name the arguments."""
        packer = self._get_arg_packer(arguments)
        packer.assign_names(function.args, [f"arg.{name}" for name in names])

    def get_arguments(self, function: Any) -> Any:
        """All arguments are the kernel's own."""
        return function.args

    def call_function(self, builder: Any, callee: Any, *_call: Any) -> Any:
        """numba's way to call what it has compiled by its own convention: always InternalError."""
        raise InternalError(f"{builder.function.name} calls {callee.name}, which is no kernel")

    def call_kernel(self, builder: Any, callee: Any, signature: Any, values: Any) -> Any:
        """The value of a call, in numba's form."""
        packed = self._get_arg_packer(signature.args).as_arguments(builder, values)
        value = builder.call(callee, list(packed))
        if signature.return_type == types.none:
            return self.context.get_dummy_value()
        return self.context.get_returned_value(builder, signature.return_type, value)

    def _result_type(self, result: Any) -> Any:
        if result == types.none:
            return ir.VoidType()
        return self.context.data_model_manager[result].get_return_type()


class ValueContext(_CPUContext):  # type: ignore[misc]
    """numba's target for the processor, with this convention."""

    @property
    def call_conv(self) -> Any:
        """Asked for at every call and return."""
        return ValueCallConv(self)

    def get_abi_sizeof(self, kind: Any) -> int:
        """Asked for at every store to a variable."""
        return _size_bytes(kind)


@functools.cache
def _size_bytes(kind: Any) -> int:
    size: int = kind.get_abi_size(value_target().target_data)
    return size


@functools.cache
def value_target() -> Any:
    """The target of kernels that are only linked; registries are numba's own, and shared."""
    numbas: Any = cpu_target.target_context
    numbas.refresh()
    made = numbas.subtarget(error_model=_create_error_model("numpy", numbas))
    made.__class__ = ValueContext
    return made
