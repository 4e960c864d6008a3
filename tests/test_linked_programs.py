"""Annotated programs whose modules `irsan link` has joined: they keep every expectation.

All programs of several files are run, and one in forty of the others, at -O1 and one seed. Where
the finding is about several definitions of one symbol, or about the order in which modules start,
there is nothing left to find once the modules are one (`NOTHING_LEFT`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.commands.link_command import link_to_file
from irsan.engine.options import FrontendOptions
from irsan.errors import UsageError
from tests.support.annotations import ProgramCase, discover_cases
from tests.support.irsan_runs import SEEDS, is_in_part, results_to_problems

CASES = discover_cases(Path(__file__).parent / "programs")
SEED = 7
PARTS = 40
DEFINED_TWICE = {"memory/odr_duplicate", "memory/odr_duplicate_size", "memory/odr_off_ok"}
NOTHING_LEFT = {
    "cpp/init_order_fiasco", "cpp/init_order_object", "cpp/init_order_strict",
    "cpp/init_order_strict_alone", "cpp/odr_inline_size", "memory/odr_common",
}  # fmt: skip


def _params() -> Iterator[object]:
    for number, case in enumerate(CASES):
        if "-O1" in case.only_levels and not case.sanitize & {"undefined", "memory"} and (
            len(case.sources) > 1 or is_in_part(number, PARTS)
        ):
            yield pytest.param(case, id=case.name)


def linked(case: ProgramCase, folder: Path, cc: str | None) -> Path:
    """The program's modules as one file of bitcode."""
    options = FrontendOptions(
        opt_level=1, cc=cc, std="c++17" if case.language == "c++" else "c11",
        cflags=("-D_GNU_SOURCE", *case.cflags),
    )  # fmt: skip
    made = folder / f"{case.path.stem}.bc"
    link_to_file(case.sources, made, options, as_text=False)
    return made


def run(runner: BatchRunner, case: ProgramCase, program: Path) -> list[RunResult]:
    return runner.run(
        [program], SEEDS if case.seeds_some else [SEED], arguments=case.args,
        environment=case.environment, stdin=case.stdin.encode(),
        **({"sanitize": case.sanitize} if case.sanitize else {}),
    )  # fmt: skip


@pytest.mark.parametrize("case", list(_params()))
def test_linked_program(runner: BatchRunner, case: ProgramCase, tmp_path: Path) -> None:
    if case.name in DEFINED_TWICE:
        with pytest.raises(UsageError, match="is defined in"):
            linked(case, tmp_path, runner.options.cc)
        return
    results = run(runner, case, linked(case, tmp_path, runner.options.cc))
    if case.name in NOTHING_LEFT:
        assert all(one.report is not None and one.findings == [] for one in results)
    else:
        assert results_to_problems(case, results) == []
