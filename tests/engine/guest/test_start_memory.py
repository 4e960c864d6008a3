"""What a program finds at its start, and what has no room there."""

from __future__ import annotations

import ctypes

import pytest

from irsan.engine.guest.start_memory import StartMemory
from irsan.errors import UnsupportedError
from irsan.runtime.layout import memory_map
from tests.support.text_runs import TextRuns

ROOM_BYTES = memory_map.START_HI - memory_map.START_LO
LOCALS = """
_Thread_local char big[%d];
int main(int c, char **v) {
    big[c * 1000] = 1;
    return big[c];
}
"""


@pytest.mark.usefixtures("guest")
def test_the_last_byte_can_be_used_and_no_further_one() -> None:
    memory = StartMemory()
    memory.place_bytes(bytes(ROOM_BYTES - 1))
    assert memory.place_bytes(b"\7", align=1) == memory_map.START_HI - 1
    assert ctypes.c_uint8.from_address(memory_map.START_HI - 1).value == 7
    with pytest.raises(UnsupportedError) as caught:
        memory.place_bytes(b"\0", align=1)
    assert f"more than {ROOM_BYTES >> 20} MiB" in str(caught.value)
    assert caught.value.exit_status == 69


@pytest.mark.usefixtures("guest")
@pytest.mark.parametrize("what", [0, 1])
def test_arguments_and_environment_that_do_not_fit_are_refused(what: int) -> None:
    texts: list[list[bytes]] = [[b"program"], [b"HOME=/"]]
    texts[what].append(b"x" * ROOM_BYTES)
    with pytest.raises(UnsupportedError, match="arguments, environment and thread-locals"):
        StartMemory().place_program(*texts, b"/program")


def test_thread_locals_that_do_not_fit_are_refused_before_the_run(text_runs: TextRuns) -> None:
    result = text_runs(LOCALS % (ROOM_BYTES + 1))
    assert (result.exit_status, result.findings, result.stdout) == (69, [], b"")
    (line,) = result.stderr.splitlines()
    assert line.startswith("irsan: error: arguments, environment and thread-locals need more than")
