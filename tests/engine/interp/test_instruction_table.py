"""Every instruction and every kind of intrinsic: some program of the tests runs it on the
interpreter, or it is refused with status 69, the function and its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.interp import lower_calls
from irsan.engine.interp.module_lowering import lower_module
from irsan.errors import UnsupportedError
from irsan.ir import instructions, operations
from irsan.ir.instruction import Instruction
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_bitcode
from tests.engine.interp.test_semantics import CASES, PROGRAMS
from tests.support.instruction_programs import program

REFUSED = sorted((Path(__file__).parent / "refused").glob("*.ll"))
_WANTED = re.compile(r"; REFUSED: (?P<what>.+) in (?P<where>\w+)")


def _module(text: str) -> Module:
    return parse_ir_bitcode(text_to_bitcode(text.encode(), Path("program.ll")))


def _modules() -> Iterator[Module]:
    for path in [*PROGRAMS, *REFUSED]:
        yield _module(path.read_text())
    for cases in CASES.values():
        yield _module(program(list(cases())))


@pytest.fixture(scope="module")
def modules() -> list[Module]:
    return list(_modules())


def _subclasses(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


def modelled_opcodes() -> set[str]:
    """The opcodes of our model of the IR."""
    assert instructions.Load.opcode == "load"  # all classes are there
    named = [getattr(kind, "opcode", None) for kind in _subclasses(Instruction)]
    return {
        *operations.INTEGER_BINARY, *operations.FLOAT_BINARY, *operations.CAST_OPCODES, "fneg",
        "catchpad", "cleanuppad", *[name for name in named if isinstance(name, str)],
    }  # fmt: skip


def test_every_opcode_runs_or_is_refused(modules: list[Module]) -> None:
    seen = {
        op.opcode for module in modules for function in module.functions
        for block in function.blocks for op in block.instructions
    }  # fmt: skip
    assert modelled_opcodes() - seen == set()


def test_every_known_intrinsic_runs_or_is_refused(modules: list[Module]) -> None:
    declared = {function.name for module in modules for function in module.functions}
    tables = (lower_calls._SILENT, lower_calls._IDENTITIES, lower_calls._OF_THE_FRAME)
    for table in tables:
        missing = {
            name for name in table - _UNREACHABLE
            if not any(one == name or one.startswith(f"{name}.") for one in declared)
        }  # fmt: skip
        assert not missing


# Records of debug info are no calls any more; the others are no words of this processor's or are
# put in and taken out again by one pass of LLVM's.
_UNREACHABLE = frozenset({
    "llvm.dbg.assign", "llvm.dbg.declare", "llvm.dbg.label", "llvm.dbg.value", "llvm.ssa.copy",
    "llvm.eh.dwarf.cfa", "llvm.eh.unwind.init", "llvm.sponentry",
})  # fmt: skip


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: path.stem)
def test_refused(path: Path) -> None:
    text = path.read_text()
    wanted = _WANTED.match(text)
    assert wanted is not None
    with pytest.raises(UnsupportedError) as caught:
        lower_module(_module(text))
    assert caught.value.exit_status == 69
    assert wanted["what"] in str(caught.value)
    assert f"in {wanted['where']}" in str(caught.value)


@pytest.mark.parametrize("prefix", lower_calls._REFUSED)
def test_refused_families(prefix: str) -> None:
    """Intrinsics that nothing here serves never reach the code generator."""
    name = f"{prefix}x" if prefix.endswith(".") else prefix
    text = f"define void @caller() {{\n  call void @irsan.later()\n  ret void\n}}\n{_LATER}"
    module = _module(text)
    callee = module.function_by_name("irsan.later")
    assert callee is not None
    callee.name = name
    with pytest.raises(UnsupportedError, match="caller"):
        lower_module(module)


_LATER = "declare void @irsan.later()\n"
