"""What a program is run under: natively, under the native sanitizers, Valgrind's tools, irsan.

    native      clang -O1                          (clang of the machine, else zig's)
    asan tsan   clang -O1 -fsanitize=...           where compiler-rt is installed
    msan        the same; msan-origins with -fsanitize-memory-track-origins=2, as irsan tracks them
    asan-frames the same with -fno-omit-frame-pointer, without which ASan's stacks of malloc and
                free end at their caller; msan-frames: msan-origins with it
    memcheck    valgrind, on the native binary     where it is installed; at the medium size
    helgrind
    irsan-*     irsan run, warm                    same compiler, same -O1
                interp, interp-plain: --engine interp, with all checks and with none; medium size
    lli         LLVM's own interpreter             where it is installed; no threads; smoke size
    irsan-interp-same   --engine interp without checks on lli's bitcode, which no pass has seen:
                        lli refuses what -O1 makes of these programs (llvm.umax and the like)
    irsan-*@REV another commit's irsan, its tree beside this one (--against REV)

A tool that is not there is left out of the tables; irsan and native always are.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from processes import Measured, run_measured

ROOT = Path(__file__).resolve().parents[1]
CLANG_NAMES = ("clang", *(f"clang-{number}" for number in range(22, 13, -1)))


@dataclass(frozen=True, slots=True)
class Tool:
    """A column of the table.

    flags: for the compiler, or after `irsan run`. size: the biggest it is run at; "": as asked.
    on_bitcode: runs lli's bitcode, and no program of threads or of C++. tree: irsan's sources.
    """

    name: str
    kind: str  # native, valgrind, lli or irsan
    flags: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    size: str = ""
    on_bitcode: bool = False
    tree: Path = ROOT


NATIVE = Tool("native", "native")
_ORIGINS = ("-fsanitize=memory", "-fsanitize-memory-track-origins=2")
_PLAIN = ("--engine", "interp", "--sanitize", "leak")
TOOLS = (
    NATIVE,
    Tool("asan", "native", ("-fsanitize=address",)),
    Tool("asan-frames", "native", ("-fsanitize=address", "-fno-omit-frame-pointer")),
    Tool("tsan", "native", ("-fsanitize=thread",)),
    Tool("msan", "native", ("-fsanitize=memory",)),
    Tool("msan-origins", "native", _ORIGINS),
    Tool("msan-frames", "native", (*_ORIGINS, "-fno-omit-frame-pointer")),
    Tool("memcheck", "valgrind", ("--tool=memcheck", "--leak-check=full"), size="medium"),
    Tool("helgrind", "valgrind", ("--tool=helgrind",), size="medium"),
    Tool("irsan-thread", "irsan", ("--sanitize", "thread")),
    Tool("irsan-address", "irsan", ("--sanitize", "address,leak")),
    Tool("irsan-all", "irsan"),
    Tool("irsan-memory", "irsan", ("--sanitize", "memory")),
    Tool("irsan-provenance", "irsan", ("--sanitize", "provenance")),
    Tool("irsan-interp", "irsan", ("--engine", "interp"), size="medium"),
    Tool("irsan-interp-plain", "irsan", _PLAIN, size="medium"),
    Tool("lli", "lli", ("-force-interpreter",), size="smoke", on_bitcode=True),
    Tool("irsan-interp-same", "irsan", _PLAIN, size="smoke", on_bitcode=True),
)
# The newest first: it must read what the compiler writes.
LLI_NAMES = (*(f"lli-{number}" for number in range(22, 13, -1)), "lli")


@dataclass(frozen=True, slots=True)
class Workshop:
    """The compiler and the folder in which binaries and reports are made."""

    compiler: tuple[str, ...]
    folder: Path
    timeout_s: float
    launcher: Path

    def binary(self, tool: Tool, source: Path) -> Path:
        """The program built with the tool's flags; CalledProcessError when that fails."""
        flags = tool.flags if tool.kind == "native" else ()
        target = self.folder / f"{source.stem}.{'-'.join(('native', *flags)).replace('=', '-')}"
        if not target.exists():
            compiler = for_language(self.compiler, source)
            words = (*compiler, "-O1", "-g", *flags, str(source), "-o", str(target))
            subprocess.run((*words, "-lm", "-lpthread"), check=True, capture_output=True)
        return target

    def bitcode(self, source: Path) -> Path:
        """The program as bitcode that no pass has seen, for LLVM's interpreter."""
        target = self.folder / f"{source.stem}.bc"
        if not target.exists():
            words = (*self.compiler, "-O1", "-Xclang", "-disable-llvm-passes", "-ffp-contract=off")
            rest = ("-emit-llvm", "-c", str(source), "-o", str(target))
            subprocess.run((*words, *rest), check=True, capture_output=True)
        return target

    def command(self, tool: Tool, source: Path, size: int) -> list[str]:
        """The words that run `source` under `tool`."""
        if tool.kind == "native":
            return [str(self.binary(tool, source)), str(size)]
        if tool.kind == "valgrind":
            return ["valgrind", "-q", *tool.flags, str(self.binary(tool, source)), str(size)]
        if tool.kind == "lli":
            lli = next(name for name in LLI_NAMES if shutil.which(name))
            return [lli, *tool.flags, str(self.bitcode(source)), str(size)]
        report = ("--report-format", "json", "--report-path", str(self.report_path(tool, source)))
        words = [sys.executable, "-m", "irsan", "run", *tool.flags, *report]
        if tool.on_bitcode:
            return [*words, str(self.bitcode(source)), str(size)]
        compiler = " ".join(_without_flags(self.compiler))
        return [*words, "--cc", compiler, "-O1", str(source), str(size)]

    def report_path(self, tool: Tool, source: Path) -> Path:
        """Where an irsan run leaves its JSON report."""
        return self.folder / f"{source.stem}.{tool.name}.json"

    def run(self, tool: Tool, source: Path, size: int) -> Measured:
        """One measured run, in the tool's own tree: Python looks there for modules first."""
        environment = {"CI": "1", "PYTHONPATH": str(tool.tree), **tool.environment}
        command = self.command(tool, source, size)
        return run_measured(self.launcher, command, environment, self.timeout_s, tool.tree)

    def timing(self, tool: Tool, source: Path) -> dict[str, float]:
        """The `timing` of the last irsan run's report; empty for other tools."""
        if tool.kind != "irsan":
            return {}
        stored = json.loads(self.report_path(tool, source).read_text())
        return {name: value for name, value in stored["timing"].items() if name.endswith("_s")}


def find_compiler() -> tuple[str, ...]:
    """A clang of the machine, else the one in the ziglang wheel."""
    for name in (os.environ.get("IRSAN_CC", ""), *CLANG_NAMES):
        if name and shutil.which(name.split()[0]):
            return tuple(name.split())
    return (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all", "-fno-stack-protector")


def for_language(compiler: tuple[str, ...], source: Path) -> tuple[str, ...]:
    """The command that compiles and links `source`: clang++ beside clang, `zig c++` beside cc."""
    if source.suffix == ".c":
        return compiler
    if compiler[1:3] == ("-m", "ziglang"):
        return tuple("c++" if word == "cc" else word for word in compiler)
    return (*compiler, "-lstdc++")


def of_other_tree(tools: list[Tool], tree: Path, revision: str) -> list[Tool]:
    """The irsan columns once more, run from another tree, each behind its own."""
    found = []
    for tool in tools:
        found.append(tool)
        if tool.kind == "irsan":
            found.append(replace(tool, name=f"{tool.name}@{revision}", tree=tree))
    return found


@contextmanager
def other_tree(revision: str, folder: Path) -> Iterator[Path]:
    """The sources of a commit in a work tree of their own; ValueError when git knows none."""
    tree = folder / "other"
    git = ("git", "-C", str(ROOT), "worktree")
    words = (*git, "add", "--detach", str(tree), revision)
    made = subprocess.run(words, capture_output=True, text=True, check=False)
    if made.returncode:
        raise ValueError(f"no work tree of {revision}: {made.stderr.strip()}")
    try:
        yield tree
    finally:
        subprocess.run((*git, "remove", "--force", str(tree)), check=False)


def is_available(tool: Tool, workshop: Workshop, probe: Path) -> bool:
    """Whether a tool works on this machine: `probe` is built (and run) with it."""
    if tool.kind == "irsan" or tool.name == "native":
        return True
    if tool.kind == "valgrind" and shutil.which("valgrind") is None:
        return False
    if tool.kind == "lli" and not any(shutil.which(name) for name in LLI_NAMES):
        return False
    try:
        return workshop.run(tool, probe, 0).status == 0
    except (OSError, subprocess.CalledProcessError):
        return False


def _without_flags(compiler: tuple[str, ...]) -> tuple[str, ...]:
    """The command alone: irsan gives zig the flags that it needs itself."""
    return tuple(word for word in compiler if not word.startswith("-f"))
