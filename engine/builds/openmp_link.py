"""Linking programs with -fopenmp where the compiler has no OpenMP library.

Under irsan a program needs none; natively it does. Where the driver does not find libomp, the words
about OpenMP are left out of the link, and an object is added whose functions say so and end the
program with status 69: IRSAN_NATIVE=1 runs such a program up to its first region.

openmp_names.txt has the name of each function that irsan has for OpenMP, one a line.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.front_end.openmp_flags import has_openmp

_NAMES: Final = Path(__file__).with_name("openmp_names.txt")
_LIBRARY: Final = "libomp.so"
_SAID: Final = "-fopenmp"
_HEAD: Final = r"""
#include <stdio.h>
#include <unistd.h>
static long none(const char *name) {
    fprintf(stderr, "irsan: error: %s: the program was linked without an OpenMP library, as the "
            "compiler has none: run it without IRSAN_NATIVE, or install LLVM's libomp and link it "
            "again\n", name);
    _exit(69);
}
#define NONE(name) __attribute__((weak)) long name(void) { return none(#name); }
"""


def lacks_openmp(words: Sequence[str], toolchain: Toolchain) -> bool:
    """Whether a link asks for an OpenMP library that the compiler does not have."""
    if not has_openmp(words) or "-lomp" in words:
        return False
    folders = (word[2:] for word in words if word.startswith("-L"))
    if any(Path(folder, _LIBRARY).is_file() for folder in folders):
        return False
    asked = [*toolchain.driver(is_cxx=False), f"-print-file-name={_LIBRARY}"]
    answer = subprocess.run(
        asked, capture_output=True, text=True, check=False, env=toolchain.environment()
    )
    return not Path(answer.stdout.strip() or "/").is_file()


def without_openmp(words: Sequence[str]) -> Iterator[str]:
    """The words of a link that have nothing to do with OpenMP."""
    return (word for word in words if not word.startswith(_SAID))


def openmp_stubs(toolchain: Toolchain, folder: Path) -> Path | None:
    """An object with the functions of OpenMP, which refuse; None when it cannot be compiled."""
    source, made = folder / "irsan-openmp.c", folder / "irsan-openmp.o"
    names = _NAMES.read_text(encoding="ascii").split()
    source.write_text(_HEAD + "".join(f"NONE({name})\n" for name in names))
    words = ["-O1", "-fPIC", "-w", "-c", str(source), "-o", str(made)]
    command = [*toolchain.driver(is_cxx=False), *words]
    done = subprocess.run(
        command, capture_output=True, check=False, env=toolchain.environment(), cwd=folder
    )
    return made if done.returncode == 0 else None
