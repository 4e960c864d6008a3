"""Programs as the user has them, turned into bitcode: C and C++ source, LLVM assembly, bitcode.

    hello.c  -> compiler -> bitcode -> LLVM: parse, upgrade, verify -> CompiledUnit
    part.ll  ------------------------> (the same)
    part.bc  ------------------------> (the same)

Every unit leaves as current, verified bitcode; the module linker joins several. What a compiler
prints is passed on as it printed it. Results are kept in the cache by content, so a warm run
starts no compiler and does not import llvmlite.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from irsan.engine.cache import Cache, open_cache
from irsan.engine.front_end import compile_cache, ir_input
from irsan.engine.front_end.checked_words import checked_words
from irsan.engine.front_end.compile_cache import Compilation
from irsan.engine.front_end.compiled_unit import CompiledUnit, Language
from irsan.engine.front_end.compilers import (
    Compiler,
    choose_compiler,
    compiler_environment,
    started_directly,
)
from irsan.engine.front_end.front_end_flags import front_end_words, pass_words
from irsan.engine.front_end.languages import PRODUCED_SUFFIXES, produced_language
from irsan.engine.front_end.openmp_flags import with_openmp
from irsan.engine.front_end.undefined_flags import other_words, undefined_words
from irsan.engine.options import CHECKED, NATIVE, FrontendOptions
from irsan.errors import UsageError
from irsan.installed import installed_version

LANGUAGE_BY_SUFFIX: Mapping[str, Language] = {
    ".c": "c",
    ".cc": "c++",
    ".cpp": "c++",
    ".cxx": "c++",
    ".C": "c++",
    ".ll": "ir",
    ".bc": "ir",
}
# Variables that change what a clang reads or writes.
_SEARCH_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_KEY_VARIABLES = (*_SEARCH_VARIABLES, "SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS", "SDKROOT")
_LINKED = (b"\x7fELF", b"!<ar", b"!<th")  # objects, static libraries, thin ones
_OUTPUT, _PLAIN, _HEADERS = "out.bc", "plain.bc", "headers"
# How clang closes its diagnostics of a source; for a bad command line it does not print this.
_SOURCE_ERRORS = re.compile(r"^(?:\d+ warnings? and )?\d+ errors? generated\.$", re.MULTILINE)
_SEARCH_FLAGS = ("-I", "-isystem", "-iquote", "-idirafter")


def language_of(path: Path) -> Language | None:
    """By its name, or by how it starts: bitcode is IR under any name. None for anything else."""
    return LANGUAGE_BY_SUFFIX.get(path.suffix) or ("ir" if _starts_as_bitcode(path) else None)


def _starts_as_bitcode(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return ir_input.is_bitcode(stream.read(4))
    except OSError:
        return False


def compile_to_ir(
    sources: Sequence[Path],
    options: FrontendOptions,
    *,
    cache: Cache | None = None,
    environment: Mapping[str, str] | None = None,
) -> list[CompiledUnit]:
    """One unit per source, in the order given; compilers run side by side.

    Warnings go to standard error, once all units are there, in the order of the sources.
    Raises UsageError (status 2) for what cannot be read, parsed or compiled, UnsupportedError for
    code of another machine.
    """
    environment = os.environ if environment is None else environment
    cache = open_cache(environment) if cache is None else cache
    options = replace(options, cflags=with_openmp(options.cflags))
    for path in sources:
        check_readable_program(path)
    needs_compiler = any(language_of(path) != "ir" for path in sources)
    compiler = choose_compiler(options.cc, environment, cache) if needs_compiler else None
    job = partial(_unit, options=options, compiler=compiler, cache=cache, environment=environment)
    if len(sources) <= 1:
        return [_with_warnings(*job(source)) for source in sources]
    from concurrent.futures import ThreadPoolExecutor  # a warm run compiles nothing

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return [_with_warnings(*result) for result in pool.map(job, sources)]


def check_readable_program(path: Path, *, may_be_native: bool = False) -> None:
    """Say no to what cannot be a program, before anything expensive happens.

    may_be_native: files of machine code are welcome, as they may carry IR, and so are sources of
    other languages than C and C++.

    Raises UsageError naming the file and the reason.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UsageError(f"{path}: is a folder, not a program")
        if not stat.S_ISREG(mode):
            raise UsageError(f"{path}: is no regular file")
        with path.open("rb") as stream:
            start = stream.read(4)
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if may_be_native and start in _LINKED:
        return  # what it carries is seen when it is read
    if start == b"\x7fELF":
        raise UsageError(
            f"{path}: is machine code; irsan runs C or C++ source or LLVM IR: give it the source, "
            "or the .bc that  clang -g -O1 -emit-llvm -c  writes"
        )
    language = produced_language(path)
    if language and not may_be_native:
        raise UsageError(
            f"{path}: only `irsan run` and `irsan explore` compile {language}; give this command "
            "the .ll or .bc that the compiler of the language writes"
        )
    if not language and language_of(path) is None:
        known = " ".join((*LANGUAGE_BY_SUFFIX, *PRODUCED_SUFFIXES))
        raise UsageError(f"{path}: unknown kind of program; irsan reads {known} and bitcode")
    if not start:
        raise UsageError(f"{path}: is empty")


def _with_warnings(unit: CompiledUnit, warnings: str) -> CompiledUnit:
    sys.stderr.write(warnings)
    return unit


def _unit(
    path: Path,
    options: FrontendOptions,
    compiler: Compiler | None,
    cache: Cache,
    environment: Mapping[str, str],
) -> tuple[CompiledUnit, str]:
    language = language_of(path) or "ir"
    if language == "ir" or compiler is None:
        compilation = Compilation(_read_ir(path, cache), "")
    else:
        command = _command(path, language, options, compiler)
        passes = _passes_command(options, compiler)
        task = _Task(path, command, passes, compiler, environment)
        compilation = _compile(task, cache)
    key = hashlib.sha256(compilation.bitcode).hexdigest()
    marked: frozenset[str] = frozenset()
    if language != "ir" and compiler is not None:
        marked = compiler.marks(
            races=options.marks_races,
            undefined=options.checks_undefined,
            uninitialised=options.marks_uninitialised,
        )
    unit = CompiledUnit(path, compilation.bitcode, language, key, marked)
    return unit, compilation.warnings


def _read_ir(path: Path, cache: Cache) -> bytes:
    """Current bitcode of a .ll or .bc file; remembered by its content and llvmlite's version."""
    digest = hashlib.sha256(path.read_bytes()).digest()
    facts = (installed_version("llvmlite"), path.suffix, digest)
    key = hashlib.sha256(repr(facts).encode()).hexdigest()
    known = cache.get("ir-bitcode", key)
    if known is not None:
        return known
    bitcode = ir_input.read_ir_file(path)
    cache.put("ir-bitcode", key, bitcode)
    return bitcode


@dataclass(frozen=True, slots=True)
class _Task:
    """One compilation: what to run, on what, in which environment.

    passes: a second command, which optimises the bitcode that the first has made; () for none.
    """

    path: Path
    command: tuple[str, ...]
    passes: tuple[str, ...]
    compiler: Compiler
    environment: Mapping[str, str]

    def key(self) -> str:
        facts = (
            self.compiler.identity,
            installed_version("llvmlite"),
            self.command,
            self.passes,
            str(Path.cwd()),
            [self.environment.get(name) for name in _KEY_VARIABLES],
            [_named_file_hash(word) for word in self.command],
            hashlib.sha256(self.path.read_bytes()).digest(),
        )
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    def search(self) -> tuple[Path, ...]:
        """The folders in which the user asked to look for headers."""
        found: list[str] = []
        for word, following in zip(self.command, (*self.command[1:], ""), strict=True):
            flag = next((flag for flag in _SEARCH_FLAGS if word.startswith(flag)), None)
            if flag is not None:
                found.append(word[len(flag) :] or following)
        for name in _SEARCH_VARIABLES:
            found += self.environment.get(name, "").split(os.pathsep)
        return tuple(Path(folder) for folder in found if folder)


def _command(
    path: Path, language: Language, options: FrontendOptions, compiler: Compiler
) -> tuple[str, ...]:
    """The compiler's words up to the output file, which differs from run to run."""
    standard = (f"-std={options.std}",) if options.std else ()
    checks: tuple[str, ...] = ()
    if options.checks_undefined:
        checks = undefined_words(options.cflags, options.opt_level, compiler.version[0])
    cflags = other_words(options.cflags) if options.checks_undefined else options.cflags
    source = str(path) if not str(path).startswith("-") else f"./{path}"
    return (
        *(compiler.c if language == "c" else compiler.cxx),
        *compiler.flags,
        *(checked_words(_user_words(options)) if _is_checked(language, options, compiler) else ()),
        *(compiler.race_flags if options.marks_races else ()),
        *(compiler.uninitialised_flags if options.marks_uninitialised else ()),
        "-g",
        f"-O{options.opt_level}",
        *standard,
        *(f"-I{folder}" for folder in options.includes),
        *(f"-D{definition}" for definition in options.defines),
        *checks,
        *front_end_words(tuple(cflags)),
        *("-c", "-emit-llvm", source),
    )


def _is_checked(language: Language, options: FrontendOptions, compiler: Compiler) -> bool:
    """Whether a source is compiled for the checked C++ library. UsageError where there is none."""
    if language != "c++" or options.stdlib == NATIVE:
        return False
    if compiler.kind != "zig" and options.stdlib == CHECKED:
        raise UsageError(
            f"--stdlib checked: the C++ library comes as source with the compiler that  pip "
            f"install 'irsan[cc]'  brings; this run compiles with {compiler.title()}"
        )
    return compiler.kind == "zig"


def _user_words(options: FrontendOptions) -> tuple[str, ...]:
    return (*options.cflags, *(f"-D{definition}" for definition in options.defines))


def _passes_command(options: FrontendOptions, compiler: Compiler) -> tuple[str, ...]:
    """The words of the command that runs LLVM's passes when the first one does not."""
    if not options.marks_uninitialised or not compiler.uninitialised_flags:
        return ()
    return (
        *(*compiler.c, *compiler.flags, f"-O{options.opt_level}"),
        *(compiler.race_flags if options.marks_races else ()),
        *pass_words(options.cflags),
        *("-Wno-unused-command-line-argument", "-c", "-emit-llvm"),
    )


def _compile(task: _Task, cache: Cache) -> Compilation:
    key, search = task.key(), task.search()
    known = compile_cache.lookup(cache, key, search)
    if known is not None:
        return known
    with tempfile.TemporaryDirectory(prefix="irsan-") as folder:
        started_ns = time.time_ns()
        warnings = _run_compiler(task, Path(folder))
        made = Path(folder, _OUTPUT).read_bytes()
        headers = Path(folder, _HEADERS)
        listed = headers.read_text() if headers.exists() else ""
    compilation = Compilation(ir_input.bitcode_to_bitcode(made, task.path), warnings)
    files = compile_cache.read_files(task.path, listed)
    compile_cache.store(cache, key, compilation, files, search, started_ns)
    return compilation


def _run_compiler(task: _Task, folder: Path) -> str:
    """Run the compiler, with its output and header list in `folder`; returns what it printed.

    Raises UsageError when it makes no bitcode. The header list comes from clang's own option, as
    zig makes no output at all when it is asked for -MD.
    """
    list_headers = ("-header-include-file", str(folder / _HEADERS), "-sys-header-deps")
    extra = [word for flag in list_headers for word in ("-Xclang", flag)]
    output, plain = str(folder / _OUTPUT), str(folder / _PLAIN)
    answer = _run(task, folder, (*task.command, *extra, "-o", plain if task.passes else output))
    printed = answer.stdout.decode(errors="replace")
    if answer.returncode == 0 and task.passes and Path(plain).exists():
        answer = _run(task, folder, (*task.passes, plain, "-o", output))
        printed += answer.stdout.decode(errors="replace")
    if answer.returncode == 0 and Path(output).exists():
        return printed
    sys.stderr.write(printed)
    title = task.compiler.title()
    without = f"wrote no bitcode for these flags: {shlex.join(task.command)}"
    if answer.returncode == 0:
        raise UsageError(f"{task.path}: {title} {without}")
    if _SOURCE_ERRORS.search(printed):
        raise UsageError(f"{task.path}: does not compile with {title}")
    # Not the program but its flags: zig fails of itself when clang leaves no output behind.
    raise UsageError(f"{task.path}: does not compile with {title}, which {without}")


def _run(
    task: _Task, folder: Path, command: tuple[str, ...]
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        started_directly(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=compiler_environment(task.environment, folder / "zig"),
        check=False,
    )


def _named_file_hash(word: str) -> str | None:
    """The content of a file that a flag names (@file, -include=file, -fprofile=file)."""
    path = Path(word.rpartition("=")[2].removeprefix("@"))
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
    except OSError:
        return None
