"""All that the bundled LLVM knows: each opcode, each target-independent intrinsic and some of
this processor's own run, or are refused by function, name and line with status 69; none ends the
process, none is passed over.

What runs under both engines is run, and prints the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from irsan.engine.batch import BatchRunner, RunResult
from irsan.engine.interp.lower_calls import _REFUSED
from irsan.engine.interp.module_lowering import lower_module
from irsan.engine.ir_input import text_to_bitcode
from irsan.engine.jit.codegen import text_to_object
from irsan.engine.jit.codegen_apart import CodegenError, object_apart
from irsan.engine.jit.unselectable import explained
from irsan.engine.module_limits import check_module
from irsan.errors import IrsanError
from irsan.instrument.pipeline import instrument_module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_bitcode
from tests.engine.interp.test_instruction_table import modelled_opcodes
from tests.support import llvm_inventory
from tests.support.debug_text import LINE
from tests.support.llvm_uses import Use, asked_apart, program_of, uses_of

_SANITIZERS = {
    "jit": frozenset({"address", "thread", "memory", "undefined", "provenance"}),
    "interp": frozenset({"address"}),
}
_WHERE = f"(in caller, line {LINE})"
_INTRINSIC = re.compile(r"llvm\.[a-zA-Z][\w.]*\w")

# What LLVM reads a call of as a record of debug info, of whose operands it is choosy.
_RECORDS = frozenset({"llvm.dbg.label"})
# Each ends the program, leaves its frame or sets what all arithmetic depends on.
_NOT_CALLED = frozenset({
    "llvm.trap", "llvm.debugtrap", "llvm.ubsantrap", "llvm.eh.sjlj.longjmp", "llvm.stackrestore",
    "llvm.eh.unwind.init", "llvm.set.fpmode", "llvm.set.fpenv", "llvm.set.rounding",
    "llvm.reset.fpmode", "llvm.reset.fpenv", "llvm.asan.check.memaccess", "llvm.eh.sjlj.setjmp",
})  # fmt: skip
# Addresses and clocks; what LLVM may answer either way.
_NOT_COMPARED = frozenset({
    "llvm.readcyclecounter", "llvm.readsteadycounter", "llvm.is.constant",
    "llvm.get.dynamic.area.offset",
    "llvm.get.fpmode",  # fnstcw writes half of its first word
})  # fmt: skip


@pytest.fixture(scope="module")
def names() -> tuple[str, ...]:
    found = llvm_inventory.intrinsic_names()
    if not found or llvm_inventory.functions() is None:
        pytest.skip("llvmlite's library has neither the C API nor a symbol table")
    return found


@pytest.fixture(scope="module")
def own_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Some of this processor's own intrinsics, which LLVM takes from all of its extensions."""
    targets = llvm_inventory.all_intrinsic_names()[len(names) :]
    own = [name for name in targets if name.startswith("llvm.x86.")]
    assert len(own) > 1000
    return tuple(own[::60])


@pytest.fixture(scope="module")
def uses(names: tuple[str, ...], own_names: tuple[str, ...]) -> dict[str, Use]:
    return uses_of([*names, *own_names])


@pytest.fixture(scope="module")
def outcomes(uses: dict[str, Use]) -> dict[tuple[str, str], IrsanError | None]:
    """By name and engine: None where there is code, else why there is none."""
    found: dict[tuple[str, str], IrsanError | None] = {}
    for engine in ("jit", "interp"):
        _failure(uses["llvm.abs"], engine)  # so that no child imports anything
        has_code = asked_apart([*uses], partial(_has_code, uses, engine))
        for name, use in uses.items():
            found[name, engine] = None if has_code[name] else _failure(use, engine)
    return found


def _has_code(uses: dict[str, Use], engine: str, name: str) -> bool:
    """Asked in a child: where there is none, LLVM may end it."""
    try:
        text_to_object(_text(_bitcode(uses[name]), engine), "")
    except (IrsanError, RuntimeError):
        return False
    return True


def _failure(use: Use, engine: str) -> IrsanError | None:
    """What a user is told, as `engine/jit/program.py` says it."""
    bitcode = _bitcode(use)
    try:
        object_apart(_text(bitcode, engine), "")
    except CodegenError as refusal:
        return explained(refusal, bitcode)
    except IrsanError as failure:
        return failure
    return None


def _bitcode(use: Use) -> bytes:
    return text_to_bitcode(use.module.encode(), Path("use.ll"))


def _text(bitcode: bytes, engine: str) -> str:
    module = parse_ir_bitcode(bitcode)
    check_module(module)
    instrument_module(module, _SANITIZERS[engine], keep_debug=engine == "interp")
    return lower_module(module) if engine == "interp" else print_module(module)


def test_the_inventory_is_llvms(names: tuple[str, ...]) -> None:
    assert len(names) == len(set(names)) > 400
    assert {"llvm.memcpy", "llvm.ctpop", "llvm.coro.id", "llvm.vp.add"} < set(names)
    assert len(llvm_inventory.opcode_names()) > 60


@pytest.mark.usefixtures("names")
def test_the_model_has_every_opcode() -> None:
    """`test_instruction_table.py` shows each of the model's as run or refused."""
    assert set(llvm_inventory.opcode_names()) == modelled_opcodes()


def test_every_intrinsic_has_a_use(names: tuple[str, ...], uses: dict[str, Use]) -> None:
    assert set(names) - set(uses) == _RECORDS


def test_other_processors_intrinsics_are_refused(names: tuple[str, ...]) -> None:
    others = set(llvm_inventory.all_intrinsic_names()[len(names) :])
    assert len(others) > 10_000
    assert {name for name in others if not name.startswith((*_REFUSED, "llvm.x86."))} == set()


def test_this_processors_own_have_uses(own_names: tuple[str, ...], uses: dict[str, Use]) -> None:
    assert len(set(own_names) & set(uses)) > 0.9 * len(own_names)


def test_every_intrinsic_runs_or_is_refused(
    uses: dict[str, Use], outcomes: dict[tuple[str, str], IrsanError | None]
) -> None:
    wrong = [
        f"{name} ({engine}): {failure}"
        for (name, engine), failure in outcomes.items()
        if failure is not None and not _is_clear(failure, uses[name])
    ]
    assert not wrong, "\n".join(wrong)


def _is_clear(failure: IrsanError, use: Use) -> bool:
    """Whether a refusal has the status of one, and names function, line and a word of the use."""
    words = [*_INTRINSIC.findall("\n".join(use.lines)), "catchswitch"]
    text = str(failure)
    is_named = _WHERE in text and any(f"`{word}" in text for word in words)
    return failure.exit_status == 69 and is_named


def test_what_runs_prints_the_same(
    runner: BatchRunner, tmp_path: Path, uses: dict[str, Use],
    outcomes: dict[tuple[str, str], IrsanError | None],
) -> None:  # fmt: skip
    run = [
        use for name, use in uses.items()
        if name not in _NOT_CALLED and not name.startswith("llvm.x86.")
        and outcomes[name, "jit"] is None and outcomes[name, "interp"] is None
    ]  # fmt: skip
    assert len(run) > 250
    path = tmp_path / "uses.ll"
    path.write_text(program_of(run, _NOT_COMPARED))
    native, interpreted = [_run(runner, path, engine) for engine in ("jit", "interp")]
    assert native.exit_status == interpreted.exit_status == 0, interpreted.stderr
    lines = list(_lines(native))
    assert len(lines) == len(run)
    wrong = [
        f"{use.name}: {got!r}, not {line!r}"
        for use, line, got in zip(run, lines, _lines(interpreted), strict=True) if got != line
    ]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def _run(runner: BatchRunner, path: Path, engine: str) -> RunResult:
    (found,) = runner.run([path], [0], engine=engine, sanitize=frozenset({"address"}))
    return found


def _lines(result: RunResult) -> Iterator[bytes]:
    yield from result.stdout.splitlines()
