"""Stack, globals and the public interface, in code that clang instrumented for addresses.

One program, one case per argument; each report must have the words that the native one has.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.options import RunOptions
from tests.support.native_oracle import find_clang

CLANG = find_clang()
SOURCE = Path(__file__).with_name("interface_program.c")
LEVELS = ("-O0", "-O1")

pytestmark = pytest.mark.skipif(CLANG is None, reason="no clang with compiler-rt on PATH")

_TELLING = re.compile(
    r"^(?:==\d+==ERROR: AddressSanitizer: [\w-]+|SUMMARY: AddressSanitizer: [\w-]+|READ of size \d+"
    r"|WRITE of size \d+| *\[\d+, \d+\) '\w+'[^<]*(?:<== .*)?|.* is located .*)",
)
_NUMBERS = re.compile(r"0x[0-9a-f]+|==\d+==")

CASES = (
    "global-after", "static-after", "partial-after", "return", "scope", "vla", "user-poison",
    "library-write", "underflow",
)  # fmt: skip


@pytest.fixture(scope="module", params=LEVELS)
def builds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The program instrumented as IR, and natively."""
    assert CLANG is not None
    folder = tmp_path_factory.mktemp("interface")
    made = [folder / "program.ll", folder / "program"]
    command = [CLANG, "-fsanitize=address", "-g", request.param, "-w", str(SOURCE)]
    subprocess.run([*command, "-S", "-emit-llvm", "-o", str(made[0])], check=True)
    subprocess.run([*command, "-o", str(made[1])], check=True)
    return made


@pytest.fixture(scope="module")
def runner() -> Iterator[BatchRunner]:
    with BatchRunner(RunOptions(programs=(), sanitize=frozenset(["address"]))) as made:
        yield made


def run(runner: BatchRunner, program: Path, *words: str, options: str = "") -> RunResult:
    environment = {"ASAN_OPTIONS": options}
    (result,) = runner.run([program], arguments=words, environment=environment)
    return result


def telling(report: str) -> list[str]:
    """Kinds, accesses, variables and distances of a report, without addresses."""
    found = (_TELLING.match(line) for line in report.splitlines())
    return [_NUMBERS.sub("_", match[0]) for match in found if match]


def _begins_one_of(line: str, wanted: list[str]) -> bool:
    return any(other.startswith(line) for other in wanted)


@pytest.mark.parametrize("case", CASES)
def test_reports_say_what_the_native_ones_say(
    case: str, builds: list[Path], runner: BatchRunner
) -> None:
    native = subprocess.run([str(builds[1]), case], capture_output=True, text=True, check=False)
    ours = run(runner, builds[0], case)
    wanted = telling(native.stderr)
    # natively, a library call's object may be called under- and overflown at once
    missing = [line for line in telling(ours.stderr) if not _begins_one_of(line, wanted)]
    assert not missing, ours.stderr
    assert telling(ours.stderr)[:2] == telling(native.stderr)[:2] != []


@pytest.mark.parametrize("case", ["longjmp", "clean", "container-ok", "deep"])
def test_no_report_where_there_is_no_error(
    case: str, builds: list[Path], runner: BatchRunner
) -> None:
    result = run(runner, builds[0], case)
    assert (result.exit_status, result.stderr) == (0, "")


def test_answers_are_those_of_the_native_run_time(builds: list[Path], runner: BatchRunner) -> None:
    native = subprocess.run([str(builds[1]), "questions"], capture_output=True, check=False)
    result = run(runner, builds[0], "questions")
    assert result.stdout == native.stdout != b""
    assert result.exit_status == native.returncode == 0


def test_stack_traces_and_descriptions_are_printed(builds: list[Path], runner: BatchRunner) -> None:
    text = run(runner, builds[0], "speech").stderr
    assert re.search(r"#0 .* in __sanitizer_print_stack_trace", text)
    assert re.search(r"#\d .* in main .*interface_program\.c:\d+", text)
    assert "is located 3 bytes inside of 33-byte region" in text
    assert "is located 8 bytes inside of global variable 'big'" in text
    assert re.search(r"\[\d+, \d+\) 'local' \(line \d+\) <== Memory access at offset", text)


def test_a_pointer_that_is_not_owned_is_reported(builds: list[Path], runner: BatchRunner) -> None:
    result = run(runner, builds[0], "not-owned")
    assert "bad-__sanitizer_get_allocated_size" in result.stderr


def test_a_container_that_lies_about_itself(builds: list[Path], runner: BatchRunner) -> None:
    assert "container-overflow" in run(runner, builds[0], "container").stderr
    assert (
        "bad-__sanitizer_annotate_contiguous_container"
        in run(runner, builds[0], "container-bad").stderr
    )


def test_fibers_are_announced_without_an_effect_of_their_own(
    builds: list[Path], runner: BatchRunner
) -> None:
    result = run(runner, builds[0], "fiber")
    assert (result.exit_status, result.stderr) == (0, "")


def test_flags_of_the_stack_and_of_poisoning(builds: list[Path], runner: BatchRunner) -> None:
    off = run(runner, builds[0], "return", options="detect_stack_use_after_return=0")
    assert "stack-use-after-return" not in off.stderr
    unpoisoned = run(runner, builds[0], "user-poison", options="allow_user_poisoning=0")
    assert unpoisoned.stderr == ""


def test_reports_go_where_the_program_says(
    builds: list[Path], runner: BatchRunner, tmp_path: Path
) -> None:
    result = run(runner, builds[0], "report-path", str(tmp_path / "log"))
    (written,) = tmp_path.iterdir()
    assert written.name.startswith("log.")
    assert "heap-use-after-free" in written.read_text()
    assert "heap-use-after-free" not in result.stderr
