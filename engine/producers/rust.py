"""Rust: `irsan run x.rs`, by the rustc that is installed.

    rustc --linker-plugin-lto --> objects that are bitcode, and the words of the link
    the link's words ----------> libraries (rlibs): their IR, sliced to what is needed; native rest

rustc makes no code: instead of a linker it calls a script that keeps the objects and the words.
The libraries of std carry their IR beside their code (`.llvmbc`), as rustc needs it for its own
LTO, so std is checked like the program. Crates that only name the functions of a backtrace run
natively.

Source: the rustc book, "Codegen Options" and "Linker-plugin-based LTO".
Deviations: the edition is 2021 unless `--std` names one, as new projects have it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from irsan.engine.cache import Cache
from irsan.engine.front_end.compilers import llvm_version
from irsan.engine.front_end.front_end_flags import RUSTC_NO_EXTRA_READS
from irsan.engine.options import FrontendOptions
from irsan.engine.producers import made_parts
from irsan.engine.producers.made_parts import MadeParts
from irsan.engine.producers.rust_libraries import linked_parts
from irsan.errors import UsageError

VARIABLE: Final = "IRSAN_RUSTC"
_FORM: Final = 3  # of what is kept: another one when parts are made otherwise
_EDITION: Final = "2021"
_FOLDER: Final = "IRSAN_LINK_FOLDER"
_WORDS: Final = "words"
#: what rustc takes for the linker: it keeps what it is given
_KEEPER: Final = f"""#!/bin/sh
for word; do
    printf '%s\\n' "$word"
    case $word in *.o) cp "$word" "${_FOLDER}/" ;; esac
done > "${_FOLDER}/{_WORDS}"
"""
_RELEASE: Final = re.compile(r"^release: (\S+)", re.MULTILINE)
_LLVM: Final = re.compile(r"^LLVM version: (\d+)\.", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rustc:
    """A compiler: its command, its release, all that it says about itself."""

    command: str
    release: str
    facts: str


def make_rust(
    path: Path, options: FrontendOptions, cache: Cache, environment: Mapping[str, str]
) -> tuple[MadeParts, str]:
    """The parts of a Rust program, and the warnings. UsageError when it is not compiled."""
    rustc = find_rustc(path, environment, cache)
    words = _words(path, options)
    facts = (_FORM, rustc, words, str(Path.cwd()), hashlib.sha256(path.read_bytes()).digest())
    key = hashlib.sha256(repr(facts).encode()).hexdigest()
    known = made_parts.lookup(cache, key)
    if known is not None:
        return known
    with tempfile.TemporaryDirectory(prefix="irsan-") as place:
        folder, started_ns = Path(place), time.time_ns()
        printed = _compile(path, rustc, words, folder, environment)
        linked = (folder / _WORDS).read_text().splitlines()
        objects = [(f"{path}", one.read_bytes()) for one in sorted(folder.glob("*.o"))]
        parts = linked_parts(objects, linked, cache)
        files, is_provable = _files_read(folder / "made.d")
    if is_provable:
        made_parts.store(cache, key, parts, printed, files, started_ns)
    return parts, printed


def find_rustc(path: Path, environment: Mapping[str, str], cache: Cache) -> Rustc:
    """The compiler to use. UsageError when there is none, or its LLVM is too new."""
    named = environment.get(VARIABLE, "")
    command = shutil.which(named or "rustc", path=environment.get("PATH"))
    if command is None:
        if named:
            raise UsageError(f"{VARIABLE}: {named}: no such command")
        raise UsageError(
            f"{path}: no rustc on PATH; install Rust, or name its compiler in {VARIABLE}"
        )
    answer = subprocess.run(
        [command, "-vV"], capture_output=True, text=True, check=False, env=dict(environment)
    )
    release, llvm = _RELEASE.search(answer.stdout), _LLVM.search(answer.stdout)
    if release is None or llvm is None:
        said = answer.stderr.strip().splitlines()
        raise UsageError(f"{command} -vV: names no release{': ' + said[-1] if said else ''}")
    ours = llvm_version(cache)[0]
    if int(llvm[1]) > ours:
        raise UsageError(
            f"{path}: rustc {release[1]} has LLVM {llvm[1]}, and this irsan reads up to {ours}; "
            f"name an older rustc in {VARIABLE}"
        )
    return Rustc(command, release[1], answer.stdout)


def _words(path: Path, options: FrontendOptions) -> list[str]:
    return [
        f"--edition={options.std or _EDITION}", "--crate-type=bin", "-g",
        f"-Copt-level={options.opt_level}", "-Ccodegen-units=1", "-Cdebug-assertions=on",
        "-Cpanic=unwind", "-Csymbol-mangling-version=v0",
        *((RUSTC_NO_EXTRA_READS,) if options.marks_races else ()),
        *(f"--cfg={one}" for one in options.defines),
        *(f"-L{folder}" for folder in options.library_folders),
        *options.cflags,
        str(path) if not str(path).startswith("-") else f"./{path}",
    ]  # fmt: skip


def _compile(
    path: Path, rustc: Rustc, words: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> str:
    """Objects and words of the link in the folder; what was printed."""
    keeper = folder / "keeper"
    keeper.write_text(_KEEPER)
    keeper.chmod(0o700)
    command = [
        rustc.command, *words, "-Clinker-plugin-lto", f"-Clinker={keeper}",
        "-Clinker-flavor=gcc", f"--emit=link={folder / 'made'},dep-info={folder / 'made.d'}",
    ]  # fmt: skip
    answer = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**environment, _FOLDER: str(folder)}, check=False,
    )  # fmt: skip
    printed = answer.stdout.decode(errors="replace")
    if answer.returncode or not (folder / _WORDS).exists():
        os.write(2, printed.encode(errors="replace"))
        raise UsageError(f"{path}: does not compile with rustc {rustc.release} ({rustc.command})")
    return printed


def _files_read(listing: Path) -> tuple[list[str], bool]:
    """The files that a program was made of, and whether nothing else decided what came out."""
    lines = listing.read_text().splitlines()
    files = [line[:-1].replace("\\ ", " ") for line in lines
             if line.endswith(":") and not line.startswith("#")]  # fmt: skip
    return files, not any(line.startswith("# env-dep:") for line in lines)
