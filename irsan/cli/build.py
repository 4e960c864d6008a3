"""Commands for builds: the compiler wrappers by another name, files for build systems, warm-up."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

_COMPILER = {
    "allow_interspersed_args": False, "ignore_unknown_options": True, "help_option_names": [],
}  # fmt: skip
BuildTree = Annotated[
    Path | None,
    typer.Option(
        "--build", metavar="DIR", help="Build tree of another compiler, with compile_commands.json:"
        " PROGRAM is one of its targets."
    ),
]  # fmt: skip
Words = Annotated[
    list[str] | None, typer.Argument(metavar="WORDS...", help="As for clang or gcc.")
]


def add_build_commands(app: typer.Typer) -> None:
    """Put the commands of this file into the command line."""
    app.command("cc", context_settings=_COMPILER)(cc)
    app.command("c++", context_settings=_COMPILER)(cxx)
    app.command("cmake-toolchain")(cmake_toolchain)
    app.command("meson-file")(meson_file)
    app.command("warm-up")(warm_up)


def cc(words: Words = None) -> None:
    """Compile and link C as irsan-cc does: native code that carries its IR."""
    _compile(words or [], is_cxx=False)


def cxx(words: Words = None) -> None:
    """Compile and link C++ as irsan-c++ does."""
    _compile(words or [], is_cxx=True)


def _compile(words: list[str], *, is_cxx: bool) -> None:
    from irsan.compiler_wrapper import drive_or_explain

    raise typer.Exit(drive_or_explain(words, is_cxx=is_cxx))


def cmake_toolchain() -> None:
    """Print the path of a toolchain file: cmake -DCMAKE_TOOLCHAIN_FILE=$(irsan cmake-toolchain)."""
    from irsan.engine.builds.build_files import write_cmake_toolchain

    typer.echo(write_cmake_toolchain())


def meson_file() -> None:
    """Print the path of a native file: meson setup --native-file $(irsan meson-file) DIR."""
    from irsan.engine.builds.build_files import write_meson_file

    typer.echo(write_meson_file())


def warm_up(
    engine: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="jit or interp (default: both).")
    ] = None,
) -> None:
    """Build everything that the first run would wait for. Nothing is done twice."""
    from irsan.arguments import require_known
    from irsan.engine.commands.warm_up import warm_up_engines
    from irsan.engine.options import ENGINES

    names = [require_known(name, ENGINES, "--engine") for name in engine or ENGINES]
    warm_up_engines(names, os.environ, sys.stdout)


def program_of_tree(
    folder: Path, words: list[str], sanitize: frozenset[str]
) -> tuple[Path, tuple[str, ...], str]:
    """A target of a build tree, built by irsan's compiler: executable, arguments, its own name.

    words: the target, and the program's arguments, behind -- or not.
    """
    from irsan.engine.builds.replayed_build import replay
    from irsan.engine.options import DEFAULT_SANITIZERS
    from irsan.engine.progress import standard_progress

    target, *arguments = words
    if arguments[:1] == ["--"]:
        del arguments[0]
    asked = () if sanitize <= DEFAULT_SANITIZERS else sorted(sanitize)
    made, native = replay(folder, target, asked, standard_progress(os.environ))
    return made, tuple(arguments), str(native)
