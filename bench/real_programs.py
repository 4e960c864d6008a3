"""Real programs under irsan: same output as natively, and how much slower.

    python bench/real_programs.py SOURCES [--only lua,zlib] [--cc clang-19] [--sanitize memory]

SOURCES is a folder with the unpacked sources of (any of) zlib, lz4, libzstd, lua5.4, cjson,
sqlite3 (after `./configure && make sqlite3.c shell.c`), bzip2, pigz, pbzip2 and tinyxml2, each in a
folder that starts with that name, as `apt-get source` leaves them.  Nothing is downloaded; sources
that are not there are skipped and named.  Not part of CI.

Every program is built natively (-O1) and does its work twice, once natively and once under
`irsan run` with the default checks, each in a folder of its own.  Compared: standard output, exit
status when nothing was found, and every file that the steps leave behind.

    program  lines of source  | steps | native s  irsan s  ratio | first build s | same?  findings

"irsan s" is the guest's own time (`timing.run_s` of the JSON report); "first build s" is front end,
instrumentation and code generation of the first step, 0 when the cache had it all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from real_list import PROGRAMS, Program, write_inputs

_TIMEOUT_S = 900.0


@dataclass(slots=True)
class Outcome:
    """What the steps of one program left behind, and what they cost."""

    digest: list[str] = field(default_factory=list)
    seconds: float = 0.0
    build_s: float = 0.0
    findings: list[str] = field(default_factory=list)
    trouble: str = ""


def main() -> int:
    """Run the list and print the table; the status is the number of programs that differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--cc", default="clang", help="compiler of both sides")
    parser.add_argument("--irsan", default=f"{sys.executable} -m irsan", help="command for irsan")
    parser.add_argument("--engine", default="jit", help="jit or interp")
    parser.add_argument("--sanitize", default="", help="what irsan looks for; its default if empty")
    parser.add_argument("--keep", action="store_true", help="keep the working folder")
    options = parser.parse_args()
    if shutil.which(options.cc.split()[0]) is None:
        parser.error(f"there is no compiler {options.cc!r} here; name one by --cc")
    wanted = {name for name in options.only.split(",") if name}
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder = Path(tempfile.mkdtemp(prefix="real-programs-"))
    write_inputs(folder / "inputs")
    bad = 0
    print(f"{'program':<14} {'lines':>7} {'native s':>9} {'irsan s':>8} {'ratio':>6} "
          f"{'build s':>8} {'same':>5}  findings")  # fmt: skip
    for program in PROGRAMS:
        if wanted and program.name not in wanted:
            continue
        bad += not run_program(program, options, folder)
    if options.keep:
        print(f"kept: {folder}")
    else:
        shutil.rmtree(folder)
    return bad


def run_program(program: Program, options: argparse.Namespace, folder: Path) -> bool:
    """Both sides of one program and its row; True when they agree."""
    found = list(find_sources(program, options.sources, folder / "inputs"))
    if not found:
        print(f"{program.name:<14} sources not there: skipped")
        return True
    n_lines = sum(path.read_bytes().count(b"\n") for path in found)
    words = list(compile_words(program, options.sources, folder / "inputs"))
    binary = folder / (program.name.replace("/", "-") + ".bin")
    native_build(options.cc, program, words, found, binary)
    native = run_steps(program, folder, "native", [str(binary)], read_native)
    command = [*options.irsan.split(), "run", "--engine", options.engine, "--cc", options.cc, "-O1"]
    command += ["--sanitize", options.sanitize] if options.sanitize else []
    command += ["--report-format", "text", "--report-format", "json"]
    command += [word for flag in words for word in irsan_words(flag)]
    sanitized = run_steps(program, folder, "irsan", [*command, *map(str, found), "--"], read_report)
    same = native.digest == sanitized.digest and not sanitized.trouble
    ratio = sanitized.seconds / max(native.seconds, 1e-9)
    print(f"{program.name:<14} {n_lines:>7} {native.seconds:>9.2f} {sanitized.seconds:>8.2f} "
          f"{ratio:>6.1f} {sanitized.build_s:>8.1f} {'yes' if same else 'NO':>5}  "
          f"{len(sanitized.findings)} {sanitized.trouble}", flush=True)  # fmt: skip
    for line in sorted(set(sanitized.findings)):
        print(f"    {line}")
    if not same:
        print_difference(native, sanitized)
    return same


def print_difference(native: Outcome, sanitized: Outcome) -> None:
    """The first line in which the two sides differ."""
    for left, right in zip(native.digest, sanitized.digest, strict=False):
        if left != right:
            print(f"    native {left}\n    irsan  {right}")


def find_sources(program: Program, sources: Path, inputs: Path) -> Iterator[Path]:
    """Files of a program; none when one glob matches nothing."""
    groups = []
    for glob in program.sources:
        base = inputs.parent if glob.startswith("work/") else sources
        groups.append([p for p in sorted(base.glob(glob)) if p.name not in program.without])
    if all(groups):
        for group in groups:
            yield from group


def compile_words(program: Program, sources: Path, inputs: Path) -> Iterator[str]:
    """-D and -I words of a program."""
    yield from program.flags
    for glob in program.includes:
        base = inputs.parent if glob == "work" else sources
        yield from (f"-I{path}" for path in sorted(base.glob(glob)) if path.is_dir())


def irsan_words(flag: str) -> list[str]:
    """A compiler's word as irsan takes it."""
    if flag[:2] in ("-D", "-I"):
        return [flag[:2], flag[2:]]
    return [f"--cflag={flag}"]


def native_build(
    cc: str, program: Program, words: list[str], found: list[Path], binary: Path
) -> None:
    """Compile a program natively; raises CalledProcessError when it does not."""
    objects = []
    for number, path in enumerate(found):
        made = binary.with_suffix(f".{number}.o")
        compiler = for_cxx(cc) if path.suffix == ".cpp" else cc
        subprocess.run([*compiler.split(), "-O1", "-g", "-w", *words, "-c", path, "-o", made],
                       check=True)  # fmt: skip
        objects.append(made)
    subprocess.run([*for_cxx(cc).split(), *objects, "-o", binary, *program.libraries], check=True)


def for_cxx(cc: str) -> str:
    """The compiler of C++ beside one of C."""
    return cc.replace("clang", "clang++").replace("irsan-cc", "irsan-c++")


def run_steps(
    program: Program,
    folder: Path,
    side: str,
    command: list[str],
    read: Callable[[Outcome, subprocess.CompletedProcess[bytes], float], None],
) -> Outcome:
    """Run all steps of one side in a folder of its own."""
    place = folder / side / program.name.replace("/", "-")
    shutil.copytree(folder / "inputs", place)
    outcome = Outcome()
    for step in program.steps:
        source = (place / step.stdin).open("rb") if step.stdin else subprocess.DEVNULL
        started = time.perf_counter()
        try:
            done = subprocess.run([*command, *step.arguments], stdin=source, capture_output=True,
                                  cwd=place, timeout=_TIMEOUT_S)  # fmt: skip
        except subprocess.TimeoutExpired:
            outcome.trouble += f"{step.arguments}: no end after {_TIMEOUT_S:g} s; "
            continue
        read(outcome, done, time.perf_counter() - started)
        outcome.digest.append(f"{step.arguments}: stdout {hashed(done.stdout)}")
        outcome.digest.append(f"{step.arguments}: status {guest_status(done, outcome)}")
    for path in sorted(place.iterdir()):
        outcome.digest.append(f"file {path.name} {hashed(path.read_bytes())}")
    return outcome


def guest_status(done: subprocess.CompletedProcess[bytes], outcome: Outcome) -> int:
    """Exit status of the program itself: 66 says no more than that there are findings."""
    return 0 if done.returncode == 66 and outcome.findings else done.returncode


def hashed(raw: bytes) -> str:
    """Size and a short hash."""
    return f"{len(raw)} bytes {hashlib.sha256(raw).hexdigest()[:12]}"


def read_native(
    outcome: Outcome, _done: subprocess.CompletedProcess[bytes], seconds: float
) -> None:
    """Time of a native run."""
    outcome.seconds += seconds


def read_report(
    outcome: Outcome, done: subprocess.CompletedProcess[bytes], _seconds: float
) -> None:
    """Time and findings of a run under irsan, from the JSON report in its standard error."""
    text = done.stderr.decode(errors="replace")
    if os.environ.get("REAL_PROGRAMS_VERBOSE"):
        sys.stderr.write(text[:20000])
    start = text.find('{"schema"') if '{"schema"' in text else text.find("{\n")
    try:
        report = json.JSONDecoder().raw_decode(text[start:])[0]
    except ValueError:
        outcome.trouble += f"status {done.returncode}: {text[-300:]!r}; "
        return
    timing = report["timing"]
    outcome.seconds += timing["run_s"]
    if not outcome.digest:  # the first step; a front end that asks for the time always runs again
        outcome.build_s = timing["frontend_s"] + timing["instrument_s"] + timing["codegen_s"]
    for finding in report["findings"]:
        frames = [frame for stack in finding["stacks"][:2] for frame in stack["frames"][:2]]
        places = ", ".join(f"{frame['function']}:{frame['line']}" for frame in frames)
        outcome.findings.append(f"{finding['tool']} {finding['kind']}: {places}")


if __name__ == "__main__":
    sys.exit(main())
