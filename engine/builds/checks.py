"""What a build asks to be checked, by -fsanitize=, and the compiler's words for it.

    -fsanitize=address,thread          the checks of irsan's sanitizers of these names
    -fsanitize=undefined, bounds, ...  the compiler's own checks of undefined behaviour
    none                               what `irsan run` checks by default

Source: clang's "-fsanitize=" names (Sanitizers.def).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from irsan.engine.builds.toolchain import Toolchain
from irsan.engine.builds.words import Words
from irsan.engine.front_end.front_end_flags import front_end_words, pass_words
from irsan.engine.front_end.openmp_flags import with_openmp
from irsan.engine.front_end.undefined_flags import CHECKS, other_words, undefined_words
from irsan.engine.options import DEFAULT_SANITIZERS, SANITIZERS, TOGETHER
from irsan.errors import UsageError
from irsan.instrument.check_names import ADDRESS, MEMORY, THREAD, UNDEFINED

_GROUPS: Final = frozenset((
    "undefined", "shift", "bounds", "nullability", "integer", "implicit-conversion",
    "implicit-integer-truncation", "implicit-integer-conversion",
    "implicit-integer-arithmetic-value-change",
))  # fmt: skip
_SAME_AS: Final = {
    "hwaddress": ADDRESS, "kernel-address": ADDRESS, "pointer-compare": ADDRESS,
    "pointer-subtract": ADDRESS, "scudo": "gwp-asan",
}  # fmt: skip
#: what harms no check, and what a program cannot be checked with
_IGNORED: Final = frozenset(("fuzzer-no-link", "safe-stack", "shadow-call-stack", "cfi", "kcfi",
                             "cfi-icall", "cfi-vcall", "numerical", "realtime", "type", "memtag",
                             "memtag-stack", "memtag-heap"))  # fmt: skip
_OLDEST_MARKS: Final = 16
_KEPT_WORDS: Final = ("-fsanitize-ignorelist", "-fno-sanitize-ignorelist", "-fsanitize-blacklist",
                      "-fsanitize-coverage", "-fsanitize-thread-", "-fno-sanitize-thread-",
                      "-fsanitize-memory-use-after", "-fno-sanitize-memory-use-after",
                      "-fsanitize-memory-param", "-fno-sanitize-memory-param")  # fmt: skip


@dataclass(frozen=True, slots=True)
class BuildChecks:
    """The sanitizers that a build names; empty for irsan's default."""

    named: frozenset[str] = frozenset()

    @property
    def wanted(self) -> frozenset[str]:
        """The sanitizers that the program is built for."""
        return self.named or DEFAULT_SANITIZERS

    def marked(self, toolchain: Toolchain) -> frozenset[str]:
        """Sanitizers whose functions the compiler marks."""
        own = {UNDEFINED, MEMORY} & self.wanted
        if toolchain.version >= _OLDEST_MARKS:
            own |= {ADDRESS} | ({THREAD} & self.wanted)
        return frozenset(own)

    def mark_words(self, toolchain: Toolchain) -> list[str]:
        """Words with which the compiler marks what is to be checked."""
        words = [*toolchain.common]
        words += toolchain.races if THREAD in self.wanted else ()
        return [*words, *(toolchain.uninitialised if MEMORY in self.wanted else ())]

    def needs_passes(self, toolchain: Toolchain) -> bool:
        """Whether a second command has to run LLVM's passes."""
        return MEMORY in self.wanted and bool(toolchain.uninitialised)

    def front_end_words(self, words: Words, toolchain: Toolchain) -> list[str]:
        """The user's words for a compilation to IR, the checks of the compiler and the marks."""
        own = [word for word in with_openmp(words.options()) if _is_kept(word)]
        found = list(front_end_words(tuple(other_words(own))))
        if UNDEFINED in self.wanted:
            asked = ["-fno-sanitize=all", *words.words]
            found += undefined_words(asked, words.opt_level, toolchain.version)
        return found + self.mark_words(toolchain)

    def pass_words(self, words: Words, toolchain: Toolchain) -> list[str]:
        """The words of a command that runs LLVM's passes over marked bitcode."""
        level = [word for word in words.words if word.startswith("-O")]
        races = toolchain.races if THREAD in self.wanted else ()
        return [
            *(*toolchain.common, *level, *races, *pass_words(with_openmp(words.options()))),
            "-Wno-unused-command-line-argument",
        ]


def _is_kept(word: str) -> bool:
    """Not a word about sanitizers that the driver would not know what to do with."""
    if not word.startswith(("-fsanitize", "-fno-sanitize")):
        return True
    return word.startswith(_KEPT_WORDS)


def checks_of(names: Iterable[str]) -> BuildChecks:
    """The checks that -fsanitize= names. UsageError for an unknown name."""
    found: set[str] = set()
    for name in names:
        if name in CHECKS or name in _GROUPS:
            found.add(UNDEFINED)
        elif name in SANITIZERS:
            found.add(name)
        elif name == "all":
            found |= TOGETHER
        elif name in _SAME_AS:
            found.add(_SAME_AS[name])
        elif name == "fuzzer":
            raise UsageError("-fsanitize=fuzzer: irsan-cc builds programs, no fuzz targets")
        elif name not in _IGNORED:
            raise UsageError(f"-fsanitize={name}: no such sanitizer")
    if found == {ADDRESS}:
        found.add("leak")  # as natively
    return BuildChecks(frozenset(found))
