"""Real programs as one module: what `irsan link` makes of them beside llvm-link, and how it runs.

    python bench/linked_programs.py SOURCES [--only lua,zlib/example] [--cc clang-19]

SOURCES is a folder as for real_programs.py. Every source is compiled to bitcode by itself; irsan
links the files, and so does llvm-link where it is there. Compared: the symbols that both results
define, and what `irsan run` says of the files and of the one module, with the default checks: the
output, the exit status, the files left behind, and the findings.

    program  modules  instructions | irsan link s  llvm-link s | symbols?  output?  findings?
    | run s of the files, of the one module

Seconds of linking are processor time of the whole command, those of runs `timing.run_s` of the
report. The status is the number of programs that differ.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from real_list import PROGRAMS, Program, write_inputs
from real_programs import Outcome, compile_words, find_sources, read_report, run_steps


@dataclass(slots=True)
class Linked:
    """One program's modules, both linkers' results, and what they cost in seconds."""

    modules: list[Path]
    ours: Path
    ours_s: float
    theirs: Path | None = None
    theirs_s: float = 0.0


def main() -> int:
    """Link and run the list, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", type=Path)
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--cc", default="clang", help="compiler of the modules")
    parser.add_argument("--llvm-link", default="llvm-link", help="LLVM's linker, if it is there")
    options = parser.parse_args()
    wanted = {name for name in options.only.split(",") if name}
    bad = 0
    print(f"{'program':<16} {'modules':>7} {'instrs':>8} {'irsan s':>8} {'llvm s':>7} "
          f"{'symbols':>8} {'output':>7} {'findings':>8} {'files s':>8} {'one s':>6}")  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="linked-programs-") as name:
        folder = Path(name)
        write_inputs(folder / "inputs")
        for program in PROGRAMS:
            if not wanted or program.name in wanted:
                bad += not check_program(program, options, folder)
    return bad


def check_program(program: Program, options: argparse.Namespace, folder: Path) -> bool:
    """Links and runs one program both ways, prints its row; True when nothing differs."""
    found = list(find_sources(program, options.sources, folder / "inputs"))
    if not found:
        print(f"{program.name:<16} sources not there: skipped")
        return True
    words = list(compile_words(program, options.sources, folder / "inputs"))
    linked = link(compiled(options.cc, words, found, folder, program.name), options.llvm_link)
    symbols = "-" if linked.theirs is None else said(same_symbols(linked))
    separate = run(program, folder, "separate", linked.modules)
    whole = run(program, folder, "whole", [linked.ours])
    outputs = separate.digest == whole.digest and not whole.trouble
    findings = sorted(separate.findings) == sorted(whole.findings)
    print(f"{program.name:<16} {len(linked.modules):>7} {count_instructions(linked.ours):>8} "
          f"{linked.ours_s:>8.2f} {linked.theirs_s:>7.2f} {symbols:>8} {said(outputs):>7} "
          f"{said(findings):>5} {len(whole.findings):>2} {separate.seconds:>8.2f} "
          f"{whole.seconds:>6.2f}", flush=True)  # fmt: skip
    for line in separate.trouble, whole.trouble:
        print(f"    {line}" if line else "", end="\n" if line else "")
    return outputs and findings and symbols != "NO"


def said(is_so: bool) -> str:
    return "yes" if is_so else "NO"


def compiled(
    cc: str, words: list[str], sources: list[Path], folder: Path, name: str
) -> list[Path]:
    """Each source as bitcode."""
    made = []
    for number, path in enumerate(sources):
        made.append(folder / f"{name.replace('/', '-')}.{number}.bc")
        compiler = cc.replace("clang", "clang++") if path.suffix == ".cpp" else cc
        subprocess.run([*compiler.split(), "-O1", "-g", "-w", *words, "-emit-llvm", "-c", path,
                        "-o", made[-1]], check=True)  # fmt: skip
    return made


def link(modules: list[Path], llvm_link: str) -> Linked:
    """Both linkers' results."""
    ours = modules[0].with_suffix(".ours.bc")
    linked = Linked(modules, ours, timed([sys.executable, "-m", "irsan", "link", *map(str, modules),
                                          "-o", str(ours)]))  # fmt: skip
    if shutil.which(llvm_link):
        linked.theirs = modules[0].with_suffix(".theirs.bc")
        linked.theirs_s = timed([llvm_link, *map(str, modules), "-o", str(linked.theirs)])
    return linked


def timed(command: list[str]) -> float:
    """Processor seconds of a command, its children included; raises CalledProcessError."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def same_symbols(linked: Linked) -> bool:
    """Whether both results define the same symbols with the same linkage and visibility."""
    assert linked.theirs is not None
    ours, theirs = defined(linked.ours), defined(linked.theirs)
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            print(f"    {name}: irsan {ours.get(name)}, llvm-link {theirs.get(name)}")
    return ours == theirs


def defined(path: Path) -> dict[str, tuple[str, str]]:
    """The symbols that a module defines for others."""
    import llvmlite.binding as llvm

    module = llvm.parse_bitcode(path.read_bytes(), llvm.create_context())
    return {
        value.name: (str(value.linkage), str(value.visibility))
        for value in (*module.functions, *module.global_variables)
        if not value.is_declaration
        and value.linkage not in (llvm.Linkage.internal, llvm.Linkage.private)
    }


def count_instructions(path: Path) -> int:
    from irsan.ir.reading import read_module
    from irsan.ir.splitting import count_instructions as count

    return count(read_module(path))


def run(program: Program, folder: Path, side: str, modules: list[Path]) -> Outcome:
    """What a run says of these modules."""
    command = [sys.executable, "-m", "irsan", "run", "--report-format", "json"]
    libraries = [word for word in program.libraries if word.startswith("-l")]
    return run_steps(program, folder, side, [*command, *libraries, *map(str, modules), "--"],
                     read_report)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
