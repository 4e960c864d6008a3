"""`irsan-rustc`: what cargo calls in front of rustc, so that a build is checked.

    RUSTC_WRAPPER=irsan-rustc cargo test --target-dir target/irsan

    library                      its objects carry their IR (-Cembed-bitcode)
    program, test, cdylib        its objects are IR, and irsan-cc links them
    build script, proc macro     as it is: they run within the build
    questions (-vV, --print)     as they are

Source: The Cargo Book, "Environment Variables" (RUSTC_WRAPPER); the rustc book, "Codegen Options".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from irsan.engine.front_end.front_end_flags import RUSTC_NO_EXTRA_READS

_LINKED: Final = frozenset(("bin", "cdylib", "dylib"))
_BUILD_SCRIPT: Final = re.compile(r"build_script_\w+")
_PROBE: Final = "___"  # cargo's own name for a crate that it only asks about
_LEFT_OUT: Final = re.compile(
    r"(embed-bitcode|incremental|lto|linker-plugin-lto|linker|linker-flavor)(=.*)?"
)


def checked_words(words: Sequence[str], linker: str) -> list[str]:
    """A command line of rustc, without its name, as it makes a crate that is checked.

    linker: the path of irsan-cc.
    """
    names = _values(words, "--crate-name")
    types = {kind for value in _values(words, "--crate-type") for kind in value.split(",")}
    is_own = "proc-macro" in types or any(map(_BUILD_SCRIPT.fullmatch, names))
    if not names or _PROBE in names or is_own or _values(words, "--print"):
        return list(words)
    kept = list(_kept(words))
    if "--test" in words or types & _LINKED:
        kept += ["-Clinker-plugin-lto", f"-Clinker={linker}", "-Clinker-flavor=gcc"]
    else:
        kept.append("-Cembed-bitcode=yes")
    options = _values(kept, "-C")
    if "-g" not in kept and not any(one.startswith("debuginfo=") for one in options):
        kept.append("-g")
    if not any(one.startswith("codegen-units=") for one in options):
        kept.append("-Ccodegen-units=1")
    return [*kept, RUSTC_NO_EXTRA_READS]


def _kept(words: Sequence[str]) -> Iterator[str]:
    """The words without those that decide about IR and the linker."""
    following = iter(words)
    for word in following:
        if word in ("-C", "--codegen"):
            value = next(following, "")
            if not _LEFT_OUT.fullmatch(value):
                yield word
                yield value
        elif not (word.startswith("-C") and _LEFT_OUT.fullmatch(word[2:])):
            yield word


def _values(words: Sequence[str], name: str) -> list[str]:
    """What an option is given, in each of its forms."""
    found = [after for word, after in pairwise(words) if word == name]
    found += [word.partition("=")[2] for word in words if word.startswith(f"{name}=")]
    if len(name) == len("-C"):
        found += [word[len(name) :] for word in words
                  if word.startswith(name) and len(word) > len(name)]  # fmt: skip
    return found
