"""Programs in other languages than C and C++: what they must print and what must be found.

    RUN: --sanitize memory      more words for `irsan run`
    STDOUT: hello 42            what is printed, one line
    EXPECT: data race, ABRT     on a line of code: a finding of one of these kinds goes through it

A program without EXPECT is clean. Each line stands in a comment of the language.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from irsan.errors import UsageError

_RUN: Final = re.compile(r"\bRUN: (.*)$", re.MULTILINE)
_STDOUT: Final = re.compile(r"\bSTDOUT: (.*)$", re.MULTILINE)
_EXPECT: Final = re.compile(r"\bEXPECT: (.*)$")
_TIMEOUT_S: Final = 900


@dataclass(frozen=True, slots=True)
class Produced:
    """An annotated program; expected: kinds by line."""

    path: Path
    words: tuple[str, ...]
    stdout: str | None
    expected: Mapping[int, frozenset[str]]


def why_missing(find: Callable[[], object]) -> str:
    """Why a language's compiler or library cannot be had; "" when it can."""
    try:
        found = find()
    except UsageError as error:
        return str(error)
    return "" if found else "the language's library is not installed"


def read_produced(path: Path) -> Produced:
    """The annotations of a program."""
    text = path.read_text()
    words, printed = _RUN.search(text), _STDOUT.search(text)
    expected = {}
    for number, line in enumerate(text.splitlines(), 1):
        found = _EXPECT.search(line)
        if found is not None:
            expected[number] = frozenset(kind.strip() for kind in found[1].split(","))
    return Produced(
        path, tuple(shlex.split(words[1])) if words else (), printed and printed[1], expected
    )


def problems_of(program: Produced, environment: Mapping[str, str], seed: int = 0) -> list[str]:
    """What a run shows otherwise than the program says; [] when all is as it says."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [
            sys.executable, "-m", "irsan", "run", *program.words, "--seed", str(seed),
            "--report-format", "json", "--report-path", str(report), str(program.path),
        ]  # fmt: skip
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False,
            env=dict(environment),
        )  # fmt: skip
        if not report.exists() or not report.stat().st_size:
            return [f"no report, status {answer.returncode}: {answer.stderr}"]
        findings = json.loads(report.read_text())["findings"]
    return [*_found_otherwise(program, findings), *_ended_otherwise(program, answer)]


def _found_otherwise(program: Produced, findings: Sequence[Mapping[str, Any]]) -> list[str]:
    problems, open_lines = [], set(program.expected)
    for one in findings:
        lines = {frame.get("line") for stack in one["stacks"] for frame in stack["frames"]
                 if Path(frame.get("file", "")).name == program.path.name}  # fmt: skip
        fitting = {line for line in lines & set(program.expected)
                   if one["kind"] in program.expected[line]}  # fmt: skip
        open_lines -= fitting
        if not fitting:
            problems.append(f"not expected: {one['kind']} through lines {sorted(lines)}")
    problems += [f"line {line}: none of {sorted(program.expected[line])}" for line in open_lines]
    return problems


def _ended_otherwise(
    program: Produced, answer: subprocess.CompletedProcess[str]
) -> list[str]:
    problems = []
    if bool(program.expected) == (answer.returncode == 0):
        problems.append(f"status {answer.returncode}: {answer.stderr}")
    if program.stdout is not None and answer.stdout.strip() != program.stdout:
        problems.append(f"printed {answer.stdout!r}")
    return problems
