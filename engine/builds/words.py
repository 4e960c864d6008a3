"""A compiler's command line, read as gcc and clang read it: inputs, mode, output.

    irsan-cc -O2 -c a.c b.s -o x.o -Iinclude -lm @more.rsp

    inputs    (place among the words, path, language): `-x LANG` or the name's ending says which
    mode      what is made: OBJECT (-c), ASSEMBLY (-S), TEXT (-E, -M), LINK, HEADER, INFO (no input)
    sanitize  what -fsanitize= names, less what -fno-sanitize= takes back

Words are kept as they are and in order; only what irsan-cc must understand is understood.

Source: the manuals of gcc ("Overall Options", "Option Summary") and clang (Driver/Options).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from irsan.response_files import expanded

OBJECT, ASSEMBLY, TEXT, LINK, HEADER, INFO = "object", "assembly", "text", "link", "header", "info"

_LANGUAGES: Final = {
    ".c": "c", ".i": "c", ".C": "c++", ".cc": "c++", ".cp": "c++", ".cxx": "c++", ".cpp": "c++",
    ".CPP": "c++", ".c++": "c++", ".ii": "c++", ".cppm": "c++", ".s": "asm", ".S": "asm",
    ".sx": "asm", ".ll": "ir", ".bc": "ir", ".h": "c-header", ".hh": "c++-header",
    ".hpp": "c++-header", ".H": "c++-header", ".hxx": "c++-header", ".pcm": "pcm", ".cu": "cuda",
    ".cui": "cuda", ".hip": "hip", ".m": "other", ".mm": "other",
}  # fmt: skip
_BY_OPTION: Final = {
    "c": "c", "cpp-output": "c", "pcm": "pcm", "c++": "c++", "c++-cpp-output": "c++",
    "assembler": "asm", "cuda": "cuda", "hip": "hip",
    "assembler-with-cpp": "asm", "ir": "ir", "c-header": "c-header", "c++-header": "c++-header",
}  # fmt: skip
#: options whose value is the next word
_WITH_VALUE: Final = frozenset((
    "-o", "-x", "-I", "-D", "-U", "-L", "-l", "-T", "-u", "-z", "-e", "-B", "-A", "-F", "-G",
    "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-iprefix",
    "-iwithprefix", "-iwithprefixbefore", "-ivfsoverlay", "-include-pch", "-imultilib", "-MF",
    "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-mllvm",
    "-target", "--param", "-arch", "-rpath", "-soname", "--sysroot", "-dumpbase", "-dumpdir",
    "-aux-info", "-wrapper", "-resource-dir", "-working-directory", "--entry", "--output",
    "-stdlib++-isystem", "-cxx-isystem", "-h",
))  # fmt: skip
#: what counts executions: its run-time library is none of irsan's
_COUNTING: Final = ("--coverage", "-coverage", "-fprofile-arcs", "-ftest-coverage",
                    "-fprofile-generate", "-fprofile-instr-generate",
                    "-fcoverage-mapping", "-pg")  # fmt: skip
_SPLIT_DEBUG: Final = "-gsplit-dwarf"
_DEBUG_LEVEL: Final = re.compile(r"-g([123]|gdb[123]?|dwarf(-\d)?|lldb|line-tables-only|mlt)?")
_TEXT_MODES: Final = ("-E", "-M", "-MM", "--preprocess", "--precompile")
_IR_MAGIC: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_INFO: Final = ("--version", "-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs",
                "--help", "-###")  # fmt: skip
_INFO_STARTS: Final = ("-print-", "--print-", "--help=", "--target-help")


@dataclass(frozen=True, slots=True)
class Input:
    """A file that the command reads. index: its place among the words.

    language: `c`, `c++`, `asm`, `ir`, `pcm` (a compiled module), `c-header`, `c++-header`, `cuda`,
    `hip`, `other`, or "" for what a linker takes.  said: the language as -x named it.
    """

    index: int
    path: str
    language: str
    said: str = ""


@dataclass(slots=True)
class Words:
    """One command line; see the module. `words` are without response files."""

    words: list[str]
    inputs: list[Input] = field(default_factory=list)
    mode: str = LINK
    output: str | None = None
    sanitize: frozenset[str] = frozenset()
    opt_level: int = 0
    counts: bool = False  # asks for coverage or a profile
    other: set[int] = field(default_factory=set)  # places of -o, -x, -c and their values

    @property
    def sources(self) -> list[Input]:
        """The inputs that a compiler compiles."""
        known = ("c", "c++", "asm", "ir", "pcm")
        return [one for one in self.inputs if one.language in known]

    @property
    def is_for_compilers_alone(self) -> bool:
        """Whether the compiler would refuse, or compiles another language than C or C++."""
        if self.mode == OBJECT and (
            not self.inputs or (self.output is not None and len(self.inputs) > 1)
        ):
            return True
        return any(one.language == "other" for one in self.inputs) or (
            self.output is not None and self.output.endswith("/")
        )

    def has(self, *names: str) -> bool:
        """Whether one of some words stands on the line."""
        return any(word in names for word in self.words)

    def starts(self, *starts: str) -> bool:
        """Whether a word on the line starts so."""
        return any(word.startswith(starts) for word in self.words)

    def options(self) -> list[str]:
        """All words but inputs, -o, -x, -c, and what asks for sanitizers, LTO or coverage."""
        left_out = {one.index for one in self.inputs} | self.other
        return [word for at, word in enumerate(self.words) if at not in left_out]


def parse_words(arguments: Sequence[str]) -> Words:
    """Read a command line. UsageError for a response file that cannot be read."""
    found = Words(list(expanded(arguments)))
    reader = _Reader(found)
    reader.read()
    return found


class _Reader:
    """Goes over the words once."""

    def __init__(self, found: Words) -> None:
        self._found = found
        self._language = ""  # of -x
        self._said = ""
        self._sanitize: set[str] = set()
        self._mode = ""

    def read(self) -> None:
        found, at = self._found, 0
        while at < len(found.words):
            at += self._one(at, found.words[at])
        found.sanitize = frozenset(self._sanitize)
        found.mode = self._mode or (LINK if found.inputs or found.starts("-l") else INFO)
        if not any(map(_DEBUG_LEVEL.fullmatch, found.words)):  # no information to split off
            found.other |= {at for at, word in enumerate(found.words) if word == _SPLIT_DEBUG}
        headers = [one for one in found.inputs if one.language.endswith("-header")]
        if headers and found.mode in (LINK, OBJECT):
            found.mode = HEADER

    def _one(self, at: int, word: str) -> int:
        """Read the word at a place; how many words it takes."""
        if not word.startswith("-") or word == "-":
            self._input(at, word)
            return 1
        if word in _WITH_VALUE:
            value = self._found.words[at + 1] if at + 1 < len(self._found.words) else ""
            self._valued(at, word, value)
            return 2
        self._joined(at, word)
        return 1

    def _input(self, at: int, word: str) -> None:
        ending = os.path.splitext(word)[1]  # noqa: PTH122  a name, and this starts very often
        language = self._language or _LANGUAGES.get(ending, "") or _of_file(word)
        self._found.inputs.append(Input(at, word, language, self._said))

    def _valued(self, at: int, word: str, value: str) -> None:
        if word in ("-o", "--output"):
            self._found.output = value
            self._found.other |= {at, at + 1}
        elif word == "-x":
            self._set_language(value)
            self._found.other |= {at, at + 1}

    def _set_language(self, name: str) -> None:
        self._language = "" if name == "none" else _BY_OPTION.get(name, "other")
        self._said = "" if name == "none" else name

    def _joined(self, at: int, word: str) -> None:
        other = self._found.other
        if word.startswith("-o") and not word.startswith(("-object", "-openmp")):
            self._found.output = word[2:]
            other.add(at)
        elif word.startswith("--output="):
            self._found.output = word[len("--output=") :]
            other.add(at)
        elif word.startswith("-x"):
            self._set_language(word[2:])
            other.add(at)
        elif word in ("-c", "--compile"):
            self._mode = self._mode or OBJECT
            other.add(at)
        elif word in ("-S", "--assemble"):
            self._mode = ASSEMBLY
        elif word in _TEXT_MODES or word == "-fsyntax-only":
            self._mode = TEXT
        elif word in _INFO or word.startswith(_INFO_STARTS):
            self._mode = INFO
        elif word.startswith("-O"):
            self._found.opt_level = _level(word)
        elif word.startswith(("-flto", "-fno-lto", "-ffat-lto", "-fno-fat-lto")):
            other.add(at)  # objects are native ones, whatever else they carry
        elif word.startswith(_COUNTING):
            self._found.counts = True
            other.add(at)
        else:
            self._sanitizer(at, word)

    def _sanitizer(self, at: int, word: str) -> None:
        if word.startswith("-fsanitize="):
            self._sanitize |= set(word.partition("=")[2].split(","))
        elif word.startswith("-fno-sanitize="):
            names = set(word.partition("=")[2].split(","))
            self._sanitize -= self._sanitize if "all" in names else names
        elif not word.startswith(("-static-libasan", "-static-libtsan", "-static-liblsan",
                                  "-static-libubsan", "-static-libsan", "-shared-libsan",
                                  "-shared-libasan")):  # fmt: skip
            return
        self._found.other.add(at)


def _of_file(path: str) -> str:
    """An object for LTO is bitcode under an object's name."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return "ir" if file.read(4) in _IR_MAGIC else ""
    except OSError:
        return ""


def _level(word: str) -> int:
    """0 to 3, as -O is written: -O, -O2, -Os, -Og, -Ofast."""
    level = word[2:]
    if level.isdigit():
        return min(int(level), 3)
    return {"": 1, "g": 1, "s": 2, "z": 2, "fast": 3}.get(level, 1)
