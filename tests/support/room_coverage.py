"""Lines that tests run, room by room, for `./dev coverage [ROOM ...]`.

    python   statements outside kernels, run by the processes of the suite themselves; what runs
             of programs do in processes of their own is not seen
    kernels  statements of kernels that tests call (tests/support/kernel_lines.py); kernels that
             only run linked into the runtime are not seen

With rooms, their tests are run, and only their lines are shown.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import coverage

from tests.meta.house import ROOMS, ROOT, source_files
from tests.support.changed_tests import mirrors_of_rooms
from tests.support.kernel_lines import Marks, kernel_files, lines_of

FOLDER_VARIABLE = "IRSAN_COVERAGE"  # where coverage_plugin puts what it notes


@dataclass(frozen=True, slots=True)
class Count:
    """How many statements there are, and how many of them have run."""

    total: int = 0
    run: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.total + other.total, self.run + other.run)

    @property
    def text(self) -> str:
        """`120  83%`; a dash where there is nothing to run."""
        share = f"{self.run / self.total:5.0%}" if self.total else "    -"
        return f"{self.total:7,} {share}"


@dataclass(frozen=True, slots=True)
class Row:
    """A file or a room: its statements outside and inside kernels."""

    n_files: int = 0
    python: Count = Count()
    kernels: Count = Count()

    def __add__(self, other: Row) -> Row:
        n_files = self.n_files + other.n_files
        return Row(n_files, self.python + other.python, self.kernels + other.kernels)


def file_row(
    statements: Iterable[int], missing: Iterable[int], path: Path, marked: Iterable[int]
) -> Row:
    """The row of a file from what coverage says of it, and the marks of its kernels."""
    inside, begins = lines_of(path)
    outside = set(statements) - inside
    python = Count(len(outside), len(outside - set(missing)))
    return Row(1, python, Count(len(begins), len(begins & set(marked))))


def table(rows: Mapping[str, Row]) -> str:
    """Lines of the table, the sum last."""
    width = max(len(name) for name in (*rows, "room"))
    lines = [f"{'room':<{width}} files  python   run kernels   run"]
    whole = sum(rows.values(), Row())
    for name, row in [*sorted(rows.items()), ("all", whole)]:
        lines.append(f"{name:<{width}} {row.n_files:5} {row.python.text} {row.kernels.text}")
    return "\n".join(lines)


def new_coverage(folder: Path, *, is_part: bool) -> coverage.Coverage:
    """coverage for the rooms.  is_part: what it notes is one process's part of a run."""
    source = [str(ROOT / room) for room in (*ROOMS, "irsan")]
    return coverage.Coverage(
        data_file=str(folder / "lines"), data_suffix=is_part, source=source, config_file=False
    )


def rows_of(folder: Path, rooms: list[str]) -> dict[str, Row]:
    """What the processes of a run have noted in the folder, by room."""
    found = new_coverage(folder, is_part=False)
    found.combine([str(folder)], keep=True)
    marks, with_kernels = Marks(folder / "marks"), set(kernel_files())
    rows: dict[str, Row] = {}
    for path in source_files():
        room = str(path.relative_to(ROOT).parent)
        if rooms and not any(f"{room}/".startswith(f"{one.strip('/')}/") for one in rooms):
            continue
        _, statements, _, missing, _ = found.analysis2(str(path))
        marked = marks.lines(path) if path in with_kernels else set()
        rows[room] = rows.get(room, Row()) + file_row(statements, missing, path, marked)
    return rows


def run_tests(rooms: list[str], folder: Path) -> int:
    """Run the tests of the rooms, or all; pytest's exit status."""
    paths = mirrors_of_rooms(rooms, ROOT) if rooms else ["tests"]
    n_workers = str(len(os.sched_getaffinity(0)))
    words = ["-m", "pytest", "-q", "-p", "tests.support.coverage_plugin", "-n", n_workers,
             "--dist", "loadgroup", "--no-loadscope-reorder", *paths]  # fmt: skip
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, FOLDER_VARIABLE: str(folder), "PYTHONPATH": path}
    return subprocess.run([sys.executable, *words], cwd=ROOT, env=environment).returncode


def main(rooms: list[str]) -> int:
    """Run tests and print the table; pytest's exit status, 2 for a room that is not there."""
    with tempfile.TemporaryDirectory(prefix="irsan-coverage-") as name:
        folder = Path(name)
        try:
            status = run_tests(rooms, folder)
        except ValueError as error:
            print(f"dev: {error}", file=sys.stderr)
            return 2
        print(table(rows_of(folder, rooms)))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
