"""The benchmarks work: every program has sizes, tables are right, one program runs everywhere.

No time is asserted: these machines are shared.
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMPILER = shutil.which("clang-19") or shutil.which("clang") or shutil.which("cc")
BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("tables")


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("processes")


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("tools")


@pytest.fixture
def programs_list(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("programs_list")


def cell(
    tables: Any,
    program: str,
    tool: str,
    work_s: float,
    size: str = "default",
    peak: int = 0,
    threads: int = 1,
) -> Any:
    times = (work_s + 0.1, work_s, work_s + 0.2, 0.0)
    return tables.Cell(program, tool, size, *times, "same", peak, threads)


def results(tables: Any, cells: list[Any]) -> Any:
    return tables.Results("clang", "default", 1, {"native": 0.001}, cells, [])


def test_every_program_names_its_sizes(programs_list: Any) -> None:
    found = programs_list.find_programs(())
    assert len(found) >= 30
    for program in found:
        assert program.sizes["smoke"] <= program.sizes["medium"] <= program.sizes["default"]


def test_programs_of_four_threads_take_another_number(programs_list: Any, tmp_path: Path) -> None:
    found = [one for one in programs_list.find_programs(()) if programs_list.has_threads(one)]
    assert {"mutex_counter", "parallel_matrix"} <= {one.name for one in found}
    for program in found:
        other = programs_list.with_threads(program, 8, tmp_path)
        assert other.name == f"{program.name}-8" and other.sizes == program.sizes
        assert other.path.read_text() == "#define THREADS 8\n" + program.path.read_text()


def test_programs_of_ordinary_code_are_a_row_for_each_number_of_threads(
    programs_list: Any, tmp_path: Path
) -> None:
    chosen = programs_list.find_programs(("pointer_chase", "hash_map", "sieve"))
    rows = list(programs_list.rows_of(chosen, (), tmp_path))
    names = ["hash_map-1", "hash_map-4", "pointer_chase-1", "pointer_chase-4", "sieve"]
    assert [row.name for row in rows] == names
    assert [row.n_threads for row in rows] == [1, 4, 1, 4, 1]
    assert [row.path.suffix for row in rows[:3]] == [".cpp", ".cpp", ".c"]
    asked = list(programs_list.rows_of(chosen, (8,), tmp_path))
    assert [row.name for row in asked] == ["hash_map-8", "pointer_chase-8"]


@pytest.mark.skipif(COMPILER is None, reason="no compiler")
def test_processes_are_measured(processes: Any, tmp_path: Path) -> None:
    launcher = processes.build_launcher((COMPILER,), tmp_path)
    words = [sys.executable, "-c", "import sys; b = b'x' * (64 << 20); print(len(b)); sys.exit(3)"]
    done = processes.run_measured(launcher, words, {}, 60.0)
    assert (done.status, done.output.strip()) == (3, str(64 << 20))
    assert 0 < done.cpu_s < 60 and 64 << 20 < done.peak_bytes < 200 << 20
    small = processes.run_measured(launcher, ["true"], {}, 60.0)
    assert small.status == 0 and small.peak_bytes < 16 << 20
    killed = processes.run_measured(launcher, ["sleep", "60"], {}, 0.2)
    assert killed.status < 0 and killed.wall_s < 30


@pytest.mark.skipif(COMPILER is None, reason="no compiler")
def test_a_process_runs_in_the_folder_that_is_asked_for(processes: Any, tmp_path: Path) -> None:
    launcher = processes.build_launcher((COMPILER,), tmp_path)
    words = [sys.executable, "-c", "import os; print(os.getcwd())"]
    done = processes.run_measured(launcher, words, {}, 60.0, tmp_path)
    assert Path(done.output.strip()) == tmp_path.resolve()


def test_another_tree_has_columns_behind_those_of_this_one(tools: Any, tmp_path: Path) -> None:
    both = tools.of_other_tree([tools.NATIVE, tools.TOOLS[-1]], tmp_path, "HEAD~1")
    assert [one.name for one in both] == ["native", tools.TOOLS[-1].name, f"{both[1].name}@HEAD~1"]
    assert [one.tree for one in both] == [tools.ROOT, tools.ROOT, tmp_path]


def test_a_commit_that_git_does_not_know_is_refused(tools: Any, tmp_path: Path) -> None:
    with (
        pytest.raises(ValueError, match="no work tree of no-such-commit"),
        tools.other_tree("no-such-commit", tmp_path),
    ):
        pass


def test_an_unknown_program_is_named(programs_list: Any) -> None:
    with pytest.raises(ValueError, match="no benchmark is called nothing"):
        programs_list.find_programs(("nothing",))


def test_means_are_geometric_and_of_equal_sizes(tables: Any) -> None:
    cells = [
        cell(tables, "a", "native", 1.0),
        cell(tables, "a", "native", 0.1, "medium"),
        cell(tables, "a", "tsan", 8.0),
        cell(tables, "a", "memcheck", 3.0, "medium"),
        cell(tables, "b", "native", 1.0),
        cell(tables, "b", "tsan", 2.0),
    ]
    made = results(tables, cells)
    assert made.mean("tsan") == pytest.approx(4.0)
    assert made.ratio("a", "memcheck") == pytest.approx(30.0)
    assert made.ratio("b", "memcheck") is None


def test_the_budget_compares_means_by_threads_and_the_worst_program(tables: Any) -> None:
    cells = [
        cell(tables, "a", "native", 1.0),
        cell(tables, "a", "tsan", 8.0),
        cell(tables, "a", "irsan-thread", 4.1),
        cell(tables, "a", "irsan-all", 7.9),
        cell(tables, "b", "native", 1.0, threads=4),
        cell(tables, "b", "tsan", 8.0, threads=4),
        cell(tables, "b", "irsan-thread", 1.0, threads=4),
        cell(tables, "b", "irsan-all", 4.0, threads=4),
    ]
    thread, both = tables.verdicts(results(tables, cells))
    assert (thread.one, thread.several) == (pytest.approx(4.1 / 8), pytest.approx(0.125))
    assert (thread.worst_program, both.worst) == ("a", pytest.approx(7.9 / 8))
    assert (thread.holds, both.holds) == (False, True)
    assert "MISSED" in tables.to_markdown(results(tables, cells))
    assert tables.to_json(results(tables, cells))["budget"][0]["holds"] is False


def test_one_program_beyond_the_worst_misses_the_budget(tables: Any) -> None:
    cells = []
    for name, work_s in (("a", 0.5), ("b", 0.5), ("c", 2.1)):
        cells += [cell(tables, name, "native", 1.0), cell(tables, name, "asan", 1.0)]
        cells.append(cell(tables, name, "irsan-address", work_s))
    (address,) = tables.verdicts(results(tables, cells))
    assert address.one < 1.0 and address.several is None and not address.holds


def test_columns_of_another_commit_are_compared(tables: Any) -> None:
    cells = [
        cell(tables, "a", "native", 1.0),
        cell(tables, "a", "irsan-all", 2.0),
        cell(tables, "a", "irsan-all@HEAD~3", 4.0),
        cell(tables, "b", "native", 1.0),
        cell(tables, "b", "irsan-all", 8.0),
        cell(tables, "b", "irsan-all@HEAD~3", 4.0),
    ]
    text = tables.to_markdown(results(tables, cells))
    assert "| irsan-all, irsan-all@HEAD~3 | 1.00 | 0.50 a | 2.00 b |" in text


def test_peaks_are_shown_in_mebibytes(tables: Any) -> None:
    cells = [cell(tables, "a", "native", 1.0), cell(tables, "a", "irsan-all", 2.0, peak=7 << 20)]
    assert "| a | 0 | 7 |" in tables.to_markdown(results(tables, cells))


def test_smoke(tmp_path: Path) -> None:
    if not any(map(shutil.which, ("clang", "clang-19", "clang-18"))):
        pytest.importorskip("ziglang")
    words = ("--sizes", "smoke", "--runs", "1", "--only", "sieve", "--tools", "native,irsan-all")
    done = subprocess.run(
        [sys.executable, str(BENCH / "run.py"), *words, "--output", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    stored = json.loads((tmp_path / "smoke.json").read_text())
    assert stored["problems"] == []
    assert set(stored["ratios"]["sieve"]) == {"irsan-all"}
    assert {row["output"] for row in stored["cells"]} == {"sieve 1 348513 4999999"}
