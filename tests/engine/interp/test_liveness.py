"""Live values and shared registers against a search over paths."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irsan.engine.interp.liveness import Liveness, shared_registers, used_values
from irsan.ir.datalayout import DataLayout
from irsan.ir.reading import parse_ir_text
from irsan.ir.values import BasicBlock, Function, Value
from tests.support.random_ir import random_program


def _functions(seed: int) -> list[Function]:
    module = parse_ir_text(random_program(seed, n_functions=2))
    return [one for one in module.functions if one.name.startswith("f")]


def _is_read_from(value: Value, block: BasicBlock, index: int) -> bool:
    """Whether a path from behind `index` reaches a use before a definition: the naive twin."""
    todo, seen = [(block, index)], set()
    while todo:
        here, start = todo.pop()
        for op in here.instructions[start + 1 :]:
            if op.opcode != "phi" and value in used_values(op):
                return True
            if op is value:
                break
        else:
            for successor in here.successors:
                for phi in successor.phis():
                    if phi.operands[phi.blocks.index(here)] is value:
                        return True
                if value not in successor.phis() and successor not in seen:
                    seen.add(successor)
                    todo.append((successor, -1))
    return False


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6))
def test_live_at_ends_of_blocks(seed: int) -> None:
    for function in _functions(seed):
        liveness = Liveness.of(function)
        for block in function.blocks:
            for value, bit in liveness.bits.items():
                expected = _is_read_from(value, block, len(block.instructions))
                assert bool(liveness.live_out[block] & bit) == expected


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_values_that_share_are_never_alive_together(seed: int) -> None:
    layout = DataLayout.of("")
    for function in _functions(seed):
        leaders = shared_registers(function, layout)
        places = Liveness.of(function).defined
        for value, leader in leaders.items():
            group = [one for one, its in leaders.items() if its is leader and one is not value]
            for other in [*group, leader]:
                block, index = places[other]
                assert not _is_live_behind(value, block, index), (value.name, other.name)


def _is_live_behind(value: Value, block: BasicBlock, index: int) -> bool:
    """Alive just behind a definition; phis of one block are defined at once."""
    heads = len(block.phis())
    return _is_read_from(value, block, max(index, heads - 1)) and not (
        value in block.instructions[max(index, heads - 1) + 1 :]
        and not _is_read_from_head(value, block)
    )


def _is_read_from_head(value: Value, block: BasicBlock) -> bool:
    return _is_read_from(value, block, -1)


def _loop(phis: str, result: str) -> Function:
    """A loop that counts %i up to %n, with more phis."""
    module = parse_ir_text(f"""
define i32 @loop(i32 %n, i32 %x, i32 %y) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
{phis}
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 {result}
}}
""")
    return module.functions[0]


_SWAP = """  %a = phi i32 [ %x, %entry ], [ %b, %loop ]
  %b = phi i32 [ %y, %entry ], [ %a, %loop ]"""


@pytest.mark.parametrize(("phis", "result"), [("", "%next"), (_SWAP, "%a")])
def test_only_a_counter_shares_its_phis_register(phis: str, result: str) -> None:
    leaders = shared_registers(_loop(phis, result), DataLayout.of(""))
    found = {getattr(one, "name", ""): getattr(its, "name", "") for one, its in leaders.items()}
    assert found == {"next": "i"}
