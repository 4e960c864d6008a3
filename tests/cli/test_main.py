"""The command as a whole: words reach the engine, every ending has its status and its one line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import irsan.engine.commands
from irsan.__main__ import main
from irsan.cli.app import require_supported_machine
from irsan.engine.options import DEFAULT_SANITIZERS, ReportTarget, RunOptions
from irsan.errors import InternalError, UnsupportedError, UsageError

Engine = Callable[[RunOptions], int]


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("IRSAN_DEBUG", raising=False)


@pytest.fixture
def with_engine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Engine], None]:
    """Puts a function in the place of the engine."""

    def install(run: Engine) -> None:
        monkeypatch.setattr(irsan.engine.commands, "session", SimpleNamespace(run=run),
        raising=False)

    return install


@pytest.fixture
def asked(with_engine: Callable[[Engine], None]) -> list[RunOptions]:
    """Every RunOptions the engine was called with."""
    seen: list[RunOptions] = []

    def run(options: RunOptions, *_: object, **__: object) -> int:
        seen.append(options)
        return 0

    with_engine(run)
    return seen


def test_run_with_defaults(asked: list[RunOptions]) -> None:
    assert main(["run", "a.c"]) == 0
    (options,) = asked
    assert options.programs == (Path("a.c"),)
    assert options.arguments == ()
    assert options.sanitize == DEFAULT_SANITIZERS
    assert (options.engine, options.seed, options.opt_level) == ("jit", 0, 1)
    assert options.reports == (ReportTarget("text"),)
    assert "PATH" in options.environment


def test_run_with_every_option(asked: list[RunOptions]) -> None:
    words = (
        "run --engine jit --sanitize thread,leak --seed 7 --scheduler random --report-format json"
        " --report-path o.json --clock 2024-02-29 --stats -O2 --cc zig --cflag -Wall"
        " --cflag=-g3 --std c17 -I inc"
        " -Iinc2 -DA=1 -D B a.c b.cc -- x --seed 9"
    )
    assert main(words.split()) == 0
    (options,) = asked
    assert options == RunOptions(
        programs=(Path("a.c"), Path("b.cc")),
        arguments=("x", "--seed", "9"),
        sanitize=frozenset({"thread", "leak"}),
        seed=7,
        scheduler="random",
        reports=(ReportTarget("text"), ReportTarget("json", Path("o.json"))),
        stats=True,
        clock_s=1_709_164_800,
        opt_level=2,
        cc="zig",
        cflags=("-Wall", "-g3"),
        std="c17",
        includes=("inc", "inc2"),
        defines=("A=1", "B"),
        environment=options.environment,
    )
    frontend = options.frontend()
    assert (frontend.opt_level, frontend.cc, frontend.std) == (2, "zig", "c17")


def test_options_after_the_program_are_its_own_with_a_notice(
    asked: list[RunOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "a.c", "--seed", "3"]) == 0
    assert asked[0].arguments == ("--seed", "3")
    assert "irsan: notice: --seed comes after the program" in capsys.readouterr().err


TOKEN = "1-7-O0-lt-3f2a9c01"


def test_replay_is_run_with_what_the_token_says(asked: list[RunOptions]) -> None:
    assert main(["replay", TOKEN, "--cflag", "-Wall", "a.c", "x", "--seed"]) == 0
    (options,) = asked
    assert options.schedule == TOKEN
    assert (options.seed, options.opt_level) == (7, 0)
    assert options.sanitize == {"leak", "thread"}
    assert options.cflags == ("-Wall",)
    assert options.programs == (Path("a.c"),)
    assert options.arguments == ("x", "--seed")


def test_the_start_of_the_clock_is_part_of_the_token(asked: list[RunOptions]) -> None:
    assert main(["replay", "1-7-O0-lt-c1709164800-3f2a9c01", "a.c"]) == 0
    assert main(["run", "--clock", "seed", "--seed", "7", "a.c"]) == 0
    assert main(["run", "--clock", "seed", "--seed", "8", "a.c"]) == 0
    starts = [options.clock_s for options in asked]
    assert starts[0] == 1_709_164_800
    assert len(set(starts)) == 3


def test_what_is_no_start_of_the_clock_is_refused(
    asked: list[RunOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", "--clock", "tomorrow", "a.c"]) == 2
    assert "write a date from 1970 to 2199" in capsys.readouterr().err
    assert asked == []


def test_what_is_no_token_is_refused(
    asked: list[RunOptions], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "TOKEN", "a.c"]) == 2
    assert "not a replay token" in capsys.readouterr().err
    assert asked == []


@pytest.mark.parametrize("status", [0, 1, 66, 255])
@pytest.mark.parametrize("verb", [["run"], ["replay", "1-7-O0-lt-3f2a9c01"]])
def test_the_engines_status_is_the_commands(
    with_engine: Callable[[Engine], None], status: int, verb: list[str]
) -> None:
    with_engine(lambda *_, **__: status)
    assert main([*verb, "a.c"]) == status


@pytest.mark.parametrize(
    ("error", "status"),
    [(UsageError("why"), 2), (UnsupportedError("why"), 69), (InternalError("why"), 70)],
)
def test_known_errors_are_one_line(
    with_engine: Callable[[Engine], None],
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    status: int,
) -> None:
    with_engine(raiser(error))
    assert main(["run", "a.c"]) == status
    assert capsys.readouterr().err == "irsan: error: why\n"


def raiser(error: BaseException) -> Engine:
    def run(*_: object, **__: object) -> int:
        raise error

    return run


def test_an_unknown_error_is_one_line_and_a_file(
    with_engine: Callable[[Engine], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with_engine(raiser(ZeroDivisionError("by nothing")))
    assert main(["run", "a.c"]) == 70
    shown = capsys.readouterr().err
    assert shown.startswith("irsan: error: internal error: ZeroDivisionError: by nothing; ")
    assert shown.count("\n") == 1
    (log,) = (tmp_path / "cache" / "crashes").iterdir()
    assert str(log) in shown
    assert "Traceback" in log.read_text()
    assert log.read_text().startswith("irsan ")


def test_a_crash_log_finds_another_place_when_the_cache_is_closed(
    with_engine: Callable[[Engine], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("IRSAN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    with_engine(raiser(ZeroDivisionError()))
    assert main(["run", "a.c"]) == 70
    log = Path(capsys.readouterr().err.split()[-1])
    assert "Traceback" in log.read_text()
    log.unlink()


def test_debugging_shows_the_traceback(
    with_engine: Callable[[Engine], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("IRSAN_DEBUG", "1")
    with_engine(raiser(ZeroDivisionError()))
    assert main(["run", "a.c"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_interruption_and_a_closed_reader(with_engine: Callable[[Engine], None]) -> None:
    with_engine(raiser(KeyboardInterrupt()))
    assert main(["run", "a.c"]) == 130


def test_a_closed_reader_is_no_crash(tmp_path: Path) -> None:
    lines = "".join(f"@g{at} = global i32 {at}\n" for at in range(20_000))
    program = tmp_path / "many.ll"
    program.write_text(lines)
    command = [sys.executable, "-m", "irsan", "dump-bitstream", str(program)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bogus"], "No such command"),
        (["run"], "Missing argument"),
        (["run", "--bogus", "a.c"], "--bogus"),
        (["run", "--seed", "x", "a.c"], "--seed"),
        (["run", "--seed", "-1", "a.c"], "--seed"),
        (["run", "-O9", "a.c"], "-O"),
        (["run", "--scheduler", "randon", "a.c"], "did you mean random?"),
        (["run", "--engine", "jut", "a.c"], "did you mean jit?"),
        (["instrument", "a.c"], "Missing option"),
        (["instrument", "missing.c", "-o", "a.ll"], "missing.c: no such file"),
        (["dump-ir", "missing.c"], "missing.c: no such file"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("irsan: error: ")
    assert message in shown
    assert shown.count("\n") == 1


def test_no_words_at_all_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Usage: irsan" in capsys.readouterr().err


def test_other_machines_are_unsupported() -> None:
    require_supported_machine("linux", "x86_64")
    for system, machine in (("darwin", "arm64"), ("linux", "aarch64"), ("win32", "AMD64")):
        with pytest.raises(UnsupportedError, match="Linux x86-64 only"):
            require_supported_machine(system, machine)


HEAVY_MODULES = ("numba", "llvmlite", "rich", "jinja2", "psutil", "jsonschema")


@pytest.mark.parametrize("words", ["--help", "run --help", "--version"])
def test_help_and_versions_import_nothing_heavy(words: str) -> None:
    main(["--version"])  # the LLVM version is asked once, then remembered
    code = (
        "import sys\nfrom irsan.__main__ import main\n"
        f"assert main({words.split()!r}) == 0\n"
        f"print([name for name in {HEAVY_MODULES} if name in sys.modules], file=sys.stderr)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stderr == "[]\n"
    assert "irsan" in answer.stdout
