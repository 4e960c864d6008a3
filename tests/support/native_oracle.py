"""compiler-rt as the judge of our test programs: build, run, and read its text reports.

    program.c --clang -fsanitize=address|thread--> executable --run--> stderr text --> findings

The findings have the shape of irsan's own JSON (kind, access, previous, stacks), so that the same
comparison judges both tools. Only what the comparison needs is read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irsan.reports.model.kinds import find_kind
from tests.support.annotations import Expectation, ProgramCase
from tests.support.native_guarded import BEGIN, guarded_findings

SANITIZERS = ("address", "thread")
RUN_TIMEOUT_S = 60
EXITCODE_OF_SANITIZER = {"address": 1, "thread": 66, "scudo": 139, "memory": 1}
UNDEFINED = "undefined"

_SUMMARY = re.compile(r"^SUMMARY: (\w+): (.+?)(?: (?:\S*/\S*:\d+|\(/|<|\?\?).*)?$")
_CHECK = re.compile(r"^SUMMARY: UndefinedBehaviorSanitizer: (\S+) (.+?):(\d+):\d+")
_FRAME = re.compile(
    r"^\s+#\d+ (?:0x[0-9a-f]+ in )?(?P<function>.+?) (?P<file>/[^:\s]+):(?P<line>\d+)"
)
_ASAN_ACCESS = re.compile(r"^(READ|WRITE) of size (\d+)")
_ASAN_SIGNAL = re.compile(r"caused by a (READ|WRITE) memory access")
_TSAN_ACCESS = re.compile(
    r"^  (?P<previous>Previous )?(?P<operation>(?:atomic )?(?:read|write)) of size (?P<size>\d+)",
    re.IGNORECASE,
)
_LEAK = re.compile(r"^(Direct|Indirect) leak of (\d+) byte\(s\) in (\d+) object\(s\)")
_ROLE_LINES = (
    (re.compile(r"freed by thread|^  Previous free"), "free"),
    (re.compile(r"allocated by thread|allocated by main thread|heap block of size"), "allocation"),
    (re.compile(r"^\s+Thread T\d+ .*created by|^Thread T\d+ .*created by"), "thread-creation"),
    (re.compile(r"was created by a heap deallocation"), "free"),
    (re.compile(r"was created by"), "allocation"),
    (re.compile(r"was stored to memory at"), "store-origin"),
    (re.compile(r"Mutex M\d+ .*created at"), "mutex-creation"),
)


@dataclass(frozen=True, slots=True)
class NativeRun:
    """Outcome of one native run; `findings` in report order."""

    findings: tuple[dict[str, Any], ...]
    exit_status: int
    stdout: str
    stderr: str


def find_clang() -> str | None:
    """A clang driver whose compiler-rt can link both sanitizers, or None."""
    for name in ("clang-19", "clang"):
        if shutil.which(name):
            return name
    return None


def sanitizers_for(case: ProgramCase) -> tuple[str, ...]:
    """Which native tools can judge the program: the one that owns its kind, or both when clean."""
    if "gwp-asan" in case.sanitize:
        return ("scudo",)
    if UNDEFINED in case.sanitize:
        return (UNDEFINED,)
    if "memory" in case.sanitize:
        return ("memory",)
    if case.is_clean:
        return SANITIZERS
    if case.sanitize == {"thread"}:
        return ("thread",)
    return ("thread",) if any(map(_is_of_threads, case.expectations)) else ("address",)


def _is_of_threads(wanted: Expectation) -> bool:
    """Whether the kind is ThreadSanitizer's alone."""
    of_memory = find_kind("AddressSanitizer", wanted.kind)
    return of_memory is None and find_kind("ThreadSanitizer", wanted.kind) is not None


def build_native(case: ProgramCase, sanitizer: str, output: Path, level: str = "-O1") -> None:
    """Compile and link one program; CalledProcessError carries the compiler's words."""
    clang = find_clang()
    if clang is None:
        raise FileNotFoundError("no clang on PATH")
    is_cpp = case.language == "c++"
    driver = clang.replace("clang", "clang++") if is_cpp else clang
    standard = "-std=c++17" if is_cpp else "-std=c11"
    command = [driver, standard, "-D_GNU_SOURCE", "-g", level, "-Wall", "-Wextra", "-pthread"]
    command += [f"-fsanitize={sanitizer}"] if sanitizer else []
    command += ["-fsanitize=nullability"] if sanitizer == UNDEFINED else []
    command += case.cflags
    command += ["-fsanitize-memory-track-origins=2"] if sanitizer == "memory" else []
    command += [*map(str, case.sources), "-o", str(output), "-lm"]
    subprocess.run(command, check=True, capture_output=True, text=True)


def run_native(case: ProgramCase, executable: Path) -> NativeRun:
    """Run a built program with its arguments, input and environment."""
    environment = dict(os.environ) | dict(case.environment)
    named = [environment.get("UBSAN_OPTIONS", ""), "report_error_type=1"]
    environment["UBSAN_OPTIONS"] = ":".join(filter(None, named))
    outcome = subprocess.run(
        [str(executable), *case.args], input=case.stdin, env=environment, check=False,
        capture_output=True, text=True, timeout=RUN_TIMEOUT_S,
    )
    status = outcome.returncode
    findings = [*text_to_findings(outcome.stderr)]
    if BEGIN in outcome.stderr:
        findings += guarded_findings(outcome.stderr, executable, case.path)
    return NativeRun(
        findings=tuple(findings),
        exit_status=status if status >= 0 else 128 - status,
        stdout=outcome.stdout,
        stderr=outcome.stderr,
    )


def text_to_findings(text: str) -> Iterator[dict[str, Any]]:
    """The findings of an ASan or TSan report text, one per SUMMARY line; leaks one by one."""
    block: list[str] = []
    for line in text.splitlines():
        check = _CHECK.match(line)
        if check:
            yield _failed_check(*check.groups())
            block = []
            continue
        summary = _SUMMARY.match(line)
        if not summary:
            block.append(line)
            continue
        if any(_LEAK.match(line) for line in block):
            yield from _leaks(block)
            block = []
            continue
        yield _block_to_finding(block, summary[1], summary[2])
        block = []


def _failed_check(kind: str, file: str, line: str) -> dict[str, Any]:
    """A check of undefined behaviour has its place on its SUMMARY line; a fault has no file."""
    frame = {"function": "", "file": file, "line": int(line)}
    stacks = [{"role": "access", "frames": [frame]}]
    return {"tool": "UndefinedBehaviorSanitizer", "kind": kind, "stacks": stacks}


def _leaks(block: list[str]) -> Iterator[dict[str, Any]]:
    finding: dict[str, Any] = {}
    for line in block:
        leak = _LEAK.match(line)
        frame = _FRAME.match(line)
        if leak:
            if finding:
                yield finding
            record = {"total_bytes": int(leak[2]), "n_objects": int(leak[3])}
            kind = f"{leak[1].lower()}-leak"
            finding = {"tool": "LeakSanitizer", "kind": kind, "details": record, "stacks": []}
        elif frame and finding:
            _append_frame(finding, "allocation", frame)
    yield finding


def _block_to_finding(block: list[str], tool: str, kind: str) -> dict[str, Any]:
    finding: dict[str, Any] = {"tool": tool, "kind": kind, "stacks": []}
    role = "access"
    for line in block:
        role = _line_to_role(line, role, finding)
        frame = _FRAME.match(line)
        if frame:
            _append_frame(finding, role, frame)
    return finding


def _line_to_role(line: str, role: str, finding: dict[str, Any]) -> str:
    """The role of the stack that follows `line`; records accesses on the way."""
    asan = _ASAN_ACCESS.match(line)
    if asan:
        finding["access"] = {"operation": asan[1].lower(), "size": int(asan[2])}
        return "access"
    signal = _ASAN_SIGNAL.search(line)
    if signal:
        finding["access"] = {"operation": signal[1].lower(), "size": None}
        return role
    tsan = _TSAN_ACCESS.match(line)
    if tsan:
        side = "previous" if tsan["previous"] else "access"
        finding[side] = {"operation": tsan["operation"].lower(), "size": int(tsan["size"])}
        return side
    for pattern, name in _ROLE_LINES:
        if pattern.search(line):
            return name
    return role


def _append_frame(finding: dict[str, Any], role: str, frame: re.Match[str]) -> None:
    fields = {"function": frame["function"], "file": frame["file"], "line": int(frame["line"])}
    starts = frame[0].lstrip().startswith("#0 ")
    stacks = finding["stacks"]
    if starts or not stacks or stacks[-1]["role"] != role:
        stacks.append({"role": role, "frames": []})
    stacks[-1]["frames"].append(fields)
