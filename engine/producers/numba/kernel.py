"""A numba function as a program: its own IR, and a call with the words of its arguments.

The function is compiled anew with debug information, for the types of these arguments and with the
options that it was decorated with. Of its module only what the kernel needs is kept: the wrappers
that Python calls it by stay out. Kernels that call Python cannot be run outside of it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

from irsan.errors import UnsupportedError, UsageError

_LOOP: Final = "__numba_parfor_gufunc_"
_LOOP_NAME: Final = re.compile(rf"{_LOOP}0x([0-9a-f]+)")
_NO_FILE: Final = re.compile(r'!DIFile\(filename: "<string>", directory: "[^"]*"\)')
_PYTHONS: Final = r"_?Py(?!Eval_(?:Save|Restore)Thread)\w+|numba_unpickle|numba_do_raise"
_DECLARED: Final = re.compile(
    rf"^(?:declare\b[^@\n]*@({_PYTHONS})\(|@({_PYTHONS}) = external )", re.MULTILINE
)
_RESULT: Final = r"(?:noundef |nonnull |zeroext |signext |noalias )*([\w.]+)"
_FUNCTION: Final = re.compile(
    rf"^declare {_RESULT} (@(?:{_PYTHONS})\([^\n]*\))[^\n]*$", re.MULTILINE
)
_EXCEPTION: Final = re.compile(rf"^(@(?:{_PYTHONS})) = external [^\n]*$", re.MULTILINE)
#: what code that makes an exception calls, none of which is needed to see that there is one
_OF_EXCEPTIONS: Final = re.compile(
    r"PyErr_\w+|PyExc_\w+|PyTuple_\w+|PyFloat_FromDouble|PyLong_From\w+|PyBool_FromLong|"
    r"_Py_NoneStruct|PyUnicode_From\w+|PyObject_Hash|PyBytes_FromString\w*|Py_(?:Inc|Dec)Ref|"
    r"numba_unpickle|numba_do_raise"
)
CALL: Final = "irsan_call_kernel"
_OPTIONS_LEFT_OUT: Final = ("cache", "inline", "forceobj", "looplift", "nopython")


def kernel_text(dispatcher: Any, arguments: Sequence[Any]) -> str:
    """LLVM text of the kernel for arguments like these, and of the function that calls it."""
    numba = _numba_of(dispatcher)
    options = {name: value for name, value in dispatcher.targetoptions.items()
               if name not in _OPTIONS_LEFT_OUT}  # fmt: skip
    signature = tuple(numba.typeof(one) for one in arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = numba.njit(**{**options, "debug": True})(dispatcher.py_func)
        try:
            again.compile(signature)
        except numba.core.errors.NumbaError as error:
            raise UsageError(f"{_name(dispatcher)}: numba does not compile it: {error}") from None
    made = again.overloads[signature]
    text = _reduced(again.inspect_llvm(signature), made.fndesc.llvm_func_name)
    text = _without_python(_name(dispatcher), text)
    return _at_home(text, dispatcher.py_func.__code__.co_filename)


def _at_home(text: str, source: str) -> str:
    """The text with the function's file for the bodies of its parallel loops, whose lines are that
    file's already, and with names that are the same in every process.
    """
    numbers: dict[str, int] = {}
    folder, _, name = source.rpartition("/")
    place = f'!DIFile(filename: "{name}", directory: "{folder or "."}")'

    def number(found: re.Match[str]) -> str:
        at = numbers.setdefault(found[1], len(numbers))
        return f"{_LOOP}0x{at:0{len(found[1])}x}"

    return _LOOP_NAME.sub(number, _NO_FILE.sub(lambda _: place, text))


def _numba_of(dispatcher: Any) -> Any:
    try:
        import numba
        from numba.core.registry import CPUDispatcher
    except ImportError as error:
        raise UnsupportedError(f"irsan.check needs numba: {error}") from None
    if not isinstance(dispatcher, CPUDispatcher):
        raise UsageError(
            f"irsan.check takes a function that numba.njit or numba.jit has decorated for the "
            f"processor, not {dispatcher!r}"
        )
    return numba


def _name(dispatcher: Any) -> str:
    return str(dispatcher.py_func.__qualname__)


def _reduced(text: str, kernel: str) -> str:
    """The module with the kernel and what it needs, and a function that calls it."""
    import llvmlite.binding as llvm
    from llvmlite.binding.newpassmanagers import (
        PipelineTuningOptions,
        create_new_module_pass_manager,
        create_pass_builder,
    )

    from irsan.engine.target import target_machine

    context = llvm.create_context()
    module = llvm.parse_assembly(text, context)
    parameters = [str(one.type) for one in module.get_function(kernel).arguments]
    call = llvm.parse_assembly("\n".join(_call_text(kernel, parameters)), context)
    module.link_in(call)
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name != CALL:
            value.linkage = "internal"
    manager = create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()
    manager.add_strip_dead_prototype_pass()
    manager.run(module, create_pass_builder(target_machine(), PipelineTuningOptions()))
    return str(module)


def _without_python(function: str, text: str) -> str:
    """The text with Python's functions that make an exception as such that do nothing."""
    needed = sorted({one for pair in _DECLARED.findall(text) for one in pair if one})
    others = [name for name in needed if not _OF_EXCEPTIONS.fullmatch(name)]
    if others:
        raise UnsupportedError(
            f"{function}: calls Python ({', '.join(others[:3])}), as print and object mode do; "
            "irsan.check runs a kernel outside of Python"
        )
    return _FUNCTION.sub(_nothing, _EXCEPTION.sub(r"\1 = internal global i8 0", text))


def _nothing(found: re.Match[str]) -> str:
    result, rest = found[1], found[2]
    value = "void" if result == "void" else f"{result} zeroinitializer"
    return f"define internal {result} {rest} {{\n  ret {value}\n}}"


def _call_text(kernel: str, parameters: Sequence[str]) -> Iterator[str]:
    """i32 irsan_call_kernel(words, result, exception)"""
    yield f'declare i32 @"{kernel}"({", ".join(parameters)})'
    yield f"define i32 @{CALL}(ptr %words, ptr %result, ptr %exception) {{"
    for number, kind in enumerate(parameters[2:]):
        yield f"  %p{number} = getelementptr i64, ptr %words, i64 {number}"
        yield f"  %v{number} = load {kind}, ptr %p{number}"
    values = [f"{kind} %v{number}" for number, kind in enumerate(parameters[2:])]
    given = ", ".join(["ptr %result", "ptr %exception", *values])
    yield f'  %status = call i32 @"{kernel}"({given})'
    yield "  ret i32 %status"
    yield "}"
