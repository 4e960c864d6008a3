"""irsan and the native tools side by side on the annotated programs; docs/comparison.md from it.

    python -m tests.support.comparison [--write] [PROGRAM OR FOLDER ...]

    program --clang, compiler-rt--> findings \\
                                              what both say, put in the same words --> differences
    program --irsan ----------------> findings /

Compared per finding: kind, operation and size of the access, and the line of the innermost frame in
the program's own file (in C its function as well) of the access, the allocation and the free; per
run: whether the exit status is zero.  A difference needs a reason: the program's NATIVE line, or a
row of `REASONS`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irsan.engine.commands.batch import BatchRunner
from tests.support.annotations import ProgramCase, discover_cases, parse_program
from tests.support.irsan_runs import new_runner, run_case
from tests.support.native_oracle import build_native, find_clang, run_native, sanitizers_for

PROGRAMS = Path(__file__).parent.parent / "programs"
FOLDERS = ("memory", "cpp", "beyond")
LEVELS = ("-O0", "-O1")
DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "comparison.md"
ROLES = ("access", "allocation", "free")

# Differences that are no fault of either side: (program, what differs) -> why.
_ONE_BYTE = "irsan names the first byte that may not be read, the native tool the whole string"
_NO_BLOCK = "irsan does not show the stacks of the block that the pointer is in or was of"
_LIBRARIES = "the two compilers and C++ libraries inline differently at -O1"
_STOPS = "the native report stops half way, at a check of the tool's own"
_WHERE = "irsan says where the container's storage was allocated, the native tool does not"
REASONS: Mapping[tuple[str, str], str] = {
    ("memory/stack_overflow_mutual", "access frame"): (
        "which of two functions meets the end of the stack depends on the sizes of their frames"
    ),
    ("memory/puts_use_after_free", "size"): _ONE_BYTE,
    ("memory/scanf_use_after_free", "finding"): _STOPS,
    ("memory/stat_use_after_free", "finding"): _STOPS,
    **{
        (f"memory/{program}", f"{role} frame"): _WHERE
        for program in ("annotation_before_begin", "annotation_beyond_end",
                        "annotation_ring_beyond", "annotation_ring_crossed")
        for role in ("allocation",)
    },
    **{
        (f"cpp/{program}", "free frame"): "natively the free has no heading: it is the first stack"
        for program in ("mismatch_malloc_delete", "mismatch_new_array_delete", "mismatch_new_free",
                        "new_delete_alignment", "new_delete_type_mismatch")
    },
    ("cpp/map_erase", "allocation frame"): _LIBRARIES,
    ("cpp/virtual_call_after_delete", "free frame"): _LIBRARIES,
    ("memory/allocated_size_of_freed", "allocation frame"): _NO_BLOCK,
    ("memory/allocated_size_of_freed", "free frame"): _NO_BLOCK,
    ("memory/usable_size_of_interior", "allocation frame"): _NO_BLOCK,
    ("cpp/dangling_string", "allocation frame"): (
        "natively the stack of an allocation ends in libstdc++, which keeps no frame pointers"
    ),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """What one tool says of a program and the other does not."""

    program: str
    level: str
    what: str
    irsan: str
    native: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """One program at one level under both; `n_*` are numbers of findings."""

    case: ProgramCase
    level: str
    differences: tuple[Difference, ...]
    n_irsan: int
    n_native: int


def compared_cases(roots: Iterable[Path] = ()) -> list[ProgramCase]:
    """Programs with something to find, in which AddressSanitizer is the native judge."""
    chosen = list(roots) or [PROGRAMS / name for name in FOLDERS if (PROGRAMS / name).is_dir()]
    cases: list[ProgramCase] = []
    for root in chosen:
        cases += discover_cases(root) if root.is_dir() else [parse_program(root)]
    return [
        case
        for case in cases
        if case.expectations
        and not case.sanitize
        and not case.seeds_some
        and sanitizers_for(case) == ("address",)
        and case.native != "skip"
    ]


def compare(runner: BatchRunner, case: ProgramCase, level: str) -> Comparison:
    """Build and run `case` at `level` under both tools.

    Raises CalledProcessError when clang refuses the program, TimeoutExpired when it does not end.
    """
    with tempfile.TemporaryDirectory() as folder:
        executable = Path(folder) / "program"
        build_native(case, "address", executable, level)
        native = run_native(case, executable)
    (irsan,) = run_case(runner, case, level, [0])
    ours = [_in_common_words(case, finding) for finding in irsan.findings]
    theirs = [_in_common_words(case, finding) for finding in native.findings]
    found = [*_finding_differences(ours, theirs)]
    if bool(irsan.exit_status) != bool(native.exit_status):
        found.append(("exit status", str(irsan.exit_status), str(native.exit_status)))
    differences = tuple([Difference(case.name, level, *one) for one in found])
    return Comparison(case, level, differences, len(ours), len(theirs))


def reason_for(case: ProgramCase, difference: Difference) -> str:
    """Why the two may differ there; empty when it is not known."""
    return case.native_reason or REASONS.get((case.name, difference.what), "")


def _in_common_words(case: ProgramCase, finding: Mapping[str, Any]) -> dict[str, str]:
    """What is compared of a finding, as text by name."""
    access = finding.get("access") or {}
    size = access.get("size")
    words = {
        "kind": _kind(str(finding["kind"])),
        "operation": str(access.get("operation") or "") if size else "",
        "size": str(size or ""),
    }
    for role in ROLES:
        words[f"{role} frame"] = _user_frame(case, finding, role)
    return words


def _kind(text: str) -> str:
    """The kind alone: SUMMARY goes on with a place when the top frame has no source file."""
    return text if "leak" in text else text.split(" ")[0]


def _user_frame(case: ProgramCase, finding: Mapping[str, Any], role: str) -> str:
    """`line 12` in C++, `main, line 12` in C: C++ names have two spellings."""
    for stack in finding.get("stacks", ()):
        if stack["role"] != role:
            continue
        for frame in stack["frames"]:
            if Path(frame.get("file") or "").name == case.path.name:
                place = f"line {frame['line']}"
                return place if case.language == "c++" else f"{frame['function']}, {place}"
    return ""


def _finding_differences(
    ours: Sequence[Mapping[str, str]], theirs: Sequence[Mapping[str, str]]
) -> Iterator[tuple[str, str, str]]:
    """(what, irsan, native) for the first finding, and for the number of findings."""
    if not ours or not theirs:
        if ours or theirs:
            yield (
                "finding",
                ours[0]["kind"] if ours else "nothing",
                theirs[0]["kind"] if theirs else "nothing",
            )
        return
    first, native = ours[0], theirs[0]
    if first["kind"] != native["kind"]:
        yield "kind", first["kind"], native["kind"]
        return
    for name, word in first.items():
        if word != native[name] and not _is_vague(name, native[name]):
            yield name, word or "nothing", native[name] or "nothing"


def _is_vague(name: str, native: str) -> bool:
    """Whether the native report leaves it out: some kinds come without an access or a stack."""
    return name in ("operation", "size") and not native


def main() -> int:
    """Command line; exit status 1 when a difference has no reason."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true", help="write docs/comparison.md")
    options = parser.parse_args()
    if find_clang() is None:
        print("no clang on PATH: nothing to compare with")
        return 2
    results = []
    with new_runner() as runner:
        for case in compared_cases(options.paths):
            for level in LEVELS:
                if level in case.only_levels:
                    results.append(compare(runner, case, level))
                    _print_differences(results[-1])
    if options.write:
        from tests.support.comparison_page import page

        DOCUMENT.write_text(page(results), encoding="utf-8")
    unexplained = [
        one for result in results for one in result.differences if not reason_for(result.case, one)
    ]
    print(f"{len(results)} comparisons, {len(unexplained)} differences without a reason")
    return 1 if unexplained else 0


def _print_differences(result: Comparison) -> None:
    for one in result.differences:
        reason = reason_for(result.case, one)
        print(f"{one.program} {one.level} {one.what}: {one.irsan} / {one.native}  {reason}")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
