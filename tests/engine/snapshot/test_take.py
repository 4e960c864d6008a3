"""Why a snapshot cannot be taken is said; nothing half done is left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from irsan.engine.snapshot import other_process, take
from irsan.engine.snapshot.other_process import PAGE_BYTES, Area
from irsan.engine.snapshot.take import NotTaken, take_snapshot
from irsan.low_heap import python_words


def test_a_process_that_ends_before_it_is_ready(tmp_path: Path) -> None:
    folder = tmp_path / "snapshot"
    folder.mkdir()
    with pytest.raises(NotTaken, match="has ended with status 1"):
        cache = str(tmp_path / "cache")
        take_snapshot(tmp_path / "restore", folder, str(tmp_path / "nowhere"), cache)
    assert list(folder.iterdir()) == []


def test_a_file_that_has_just_changed(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text("a = 1\n")
    changed_ns = source.stat().st_mtime_ns
    take._require_older([str(source)], changed_ns + take._CLOCK_STEP_NS)
    with pytest.raises(NotTaken, match=r"source\.py has just changed"):
        take._require_older([str(source)], changed_ns)


def test_patches_go_where_their_address_is() -> None:
    patches = {0x1002: b"ab", 0x9000: b"elsewhere"}
    assert take._patched(b"0123456", 0x1000, patches) == b"01ab456"


@pytest.mark.parametrize("python", [[sys.executable], python_words()], ids=["kernel", "loader"])
def test_the_auxiliary_vector_is_found_whoever_has_started_python(python: list[str]) -> None:
    """The loader moves it and puts Python's entries in place of its own."""
    command = [*python, "-c", "print(flush=True); input()"]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process,
        Path(f"/proc/{process.pid}/mem").open("rb", buffering=0) as memory,
    ):
        assert process.stdout is not None
        process.stdout.readline()
        areas = list(other_process.areas(process.pid))
        at, n_bytes = take._auxiliary(process.pid, memory, areas)
        memory.seek(at)
        found = memory.read(n_bytes)
        of_kernel = Path(f"/proc/{process.pid}/auxv").read_bytes()
        process.communicate(b"\n")
    assert found[:16] == of_kernel[:16] and found[-16:] == bytes(16)
    assert (found == of_kernel) == (len(python) == 1)


def ranges_of(*touched: str) -> list[tuple[int, int, bool]]:
    """What is needed of pages 0 to 99, which may be written; each rehearsal touches `2r 3w`."""
    area = Area(0, 100 * PAGE_BYTES, "rw-p", 0, "", 0, frozenset())
    pages = [
        {int(word[:-1]) * PAGE_BYTES: word[-1] == "w" for word in one.split()} for one in touched
    ]
    found = take._needed(pages, [area])
    return [(one.lo // PAGE_BYTES, one.hi // PAGE_BYTES, one.is_taken) for one in found]


def test_what_each_run_writes_is_taken_and_what_some_do_lies_apart() -> None:
    assert ranges_of("1w 2w 9w") == [(1, 3, True), (9, 10, True)]
    assert ranges_of("1w 2w 9w", "2w 3w 20w") == [
        (1, 3, True), (3, 4, False), (9, 10, True), (20, 21, False),
    ]  # fmt: skip


def test_what_is_only_read_is_taken_beside_what_is_written() -> None:
    assert ranges_of("1r 2w 3r 4r 5r 6w 9r") == [
        (1, 4, True), (4, 5, False), (5, 7, True), (9, 10, False),
    ]  # fmt: skip


def test_what_some_runs_touch_is_joined_over_small_gaps_and_never_over_what_is_taken() -> None:
    assert ranges_of("50w", "1r 4w 8r 49w 51r") == [
        (1, 5, False), (8, 9, False), (49, 50, False), (50, 51, True), (51, 52, False),
    ]  # fmt: skip


def test_where_the_kernel_tells_nothing_nothing_is_needed() -> None:
    assert ranges_of() == ranges_of("", "3w") == []
