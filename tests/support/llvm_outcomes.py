"""Which intrinsics run and which are refused, found out by a small process of its own.

    inventory = ask([...names...])            runs `python -m tests.support.llvm_outcomes`
    inventory.uses["llvm.abs"]                a use of it
    inventory.outcomes["llvm.abs", "jit"]     None, or how it is refused

LLVM ends its process on some hundred of them, and each end is a fork, which takes the longer the
more a process holds: a worker of the suite has gigabytes by then.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from irsan.engine.front_end.ir_input import text_to_bitcode
from irsan.engine.front_end.module_limits import check_module
from irsan.engine.interp.module_lowering import lower_module
from irsan.engine.program_image.codegen import text_to_object
from irsan.engine.program_image.codegen_apart import CodegenError, object_apart
from irsan.engine.program_image.unselectable import explained
from irsan.errors import IrsanError
from irsan.instrument.pipeline import instrument_module
from irsan.ir.printing import print_module
from irsan.ir.reading import parse_ir_bitcode
from tests.support.llvm_uses import Use, asked_apart, uses_of

_ROOT = Path(__file__).parents[2]
_SANITIZERS = {
    "jit": frozenset({"address", "thread", "memory", "undefined", "provenance"}),
    "interp": frozenset({"address"}),
}


class Refusal(NamedTuple):
    """The message for the user, as `engine/program_image/program.py` says it."""

    exit_status: int
    text: str


class Inventory(NamedTuple):
    """Uses by name; by name and engine None where there is code, else why there is none."""

    uses: dict[str, Use]
    outcomes: dict[tuple[str, str], Refusal | None]


def ask(names: Sequence[str]) -> Inventory:
    """The inventory of these intrinsics."""
    command = [sys.executable, "-m", __name__]
    given = pickle.dumps(list(names))
    result = subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True, cwd=_ROOT)
    found: Inventory = pickle.loads(result.stdout)
    return found


def _inventory(names: Sequence[str]) -> Inventory:
    uses = uses_of(names)
    outcomes: dict[tuple[str, str], Refusal | None] = {}
    for engine in _SANITIZERS:
        _refusal(next(iter(uses.values())), engine)  # so that no child imports anything
        has_code = asked_apart([*uses], partial(_has_code, uses, engine))
        for name, use in uses.items():
            outcomes[name, engine] = None if has_code[name] else _refusal(use, engine)
    return Inventory(uses, outcomes)


def _has_code(uses: dict[str, Use], engine: str, name: str) -> bool:
    """Asked in a child: where there is none, LLVM may end it."""
    try:
        text_to_object(_text(_bitcode(uses[name]), engine), "")
    except (IrsanError, RuntimeError):
        return False
    return True


def _refusal(use: Use, engine: str) -> Refusal | None:
    bitcode = _bitcode(use)
    try:
        object_apart(_text(bitcode, engine), "")
    except CodegenError as error:
        failure = explained(error, bitcode)
    except IrsanError as error:
        failure = error
    else:
        return None
    return Refusal(failure.exit_status, str(failure))


def _bitcode(use: Use) -> bytes:
    return text_to_bitcode(use.module.encode(), Path("use.ll"))


def _text(bitcode: bytes, engine: str) -> str:
    module = parse_ir_bitcode(bitcode)
    check_module(module)
    instrument_module(module, _SANITIZERS[engine], keep_debug=engine == "interp")
    return lower_module(module) if engine == "interp" else print_module(module)


if __name__ == "__main__":
    from tests.support import llvm_outcomes  # not `__main__`: the answer is unpickled elsewhere

    answer = llvm_outcomes._inventory(pickle.load(sys.stdin.buffer))
    sys.stdout.buffer.write(pickle.dumps(answer))
