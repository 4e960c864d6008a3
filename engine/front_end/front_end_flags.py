"""The user's own compiler flags, as irsan's front end has to pass them on.

    -fsanitize-ignorelist=FILE        -> -Xclang -fsanitize-ignorelist=FILE, and no crash report
    -fno-sanitize-thread-atomics      -> not passed on: a part of irsan's race checks is left out
    -mllvm -tsan-instrument-atomics=0 -> the same
    -fno-sanitize-memory-use-after-dtor -> -Xclang -fno-sanitize-memory-use-after-dtor
    -fno-sanitize-memory-param-retval -> not passed on: calls pass undefined values on

Clang's own passes put in no checks here (irsan.engine.front_end.compilers), so its words for what
they are to do are heeded by irsan's passes instead.

Source: clang's options for sanitizers; the options of LLVM's ThreadSanitizer pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from irsan.errors import UsageError
from irsan.instrument.check_names import BITS_CROSS_CALLS, NO_RACE_ACCESSES, NO_RACE_ATOMICS

# LLVM's passes that read what the source does not, even in functions marked for race checks: each
# such read would race with a thread that writes there.
NO_EXTRA_READS = (
    "-disable-licm-promotion",  # a load in front of a loop that guards it
    "-enable-if-conversion=0",  # vectors over the elements that a condition leaves out
    "-enable-interleaved-mem-accesses=0",  # vectors over the members between those of a stride
)
CLANG_NO_EXTRA_READS = tuple(word for option in NO_EXTRA_READS for word in ("-mllvm", option))
RUSTC_NO_EXTRA_READS = f"-Cllvm-args={' '.join(NO_EXTRA_READS)}"
RACE_PASS_OPTIONS = ("memory-accesses", "atomics", "func-entry-exit", "memintrinsics")
# Not the compiler's business: our passes heed them.
_LEFT_OUT, _PUT_IN = "-fno-sanitize-thread-", "-fsanitize-thread-"
_PASS_WORDS = tuple(
    f"{start}-tsan-instrument-{name}" for start in ("", "-mllvm=") for name in RACE_PASS_OPTIONS
)
_PARTS = {
    **dict.fromkeys((f"{_LEFT_OUT}memory-access", f"{_PUT_IN}memory-access"), NO_RACE_ACCESSES),
    **dict.fromkeys((f"{_LEFT_OUT}atomics", f"{_PUT_IN}atomics"), NO_RACE_ATOMICS),
    "-tsan-instrument-memory-accesses": NO_RACE_ACCESSES,
    "-tsan-instrument-atomics": NO_RACE_ATOMICS,
}
_AT_CALLS = "-fsanitize-memory-param-retval"
_NOT_AT_CALLS = "-fno-sanitize-memory-param-retval"
_DESTROYED = ("-fno-sanitize-memory-use-after-dtor", "-fsanitize-memory-use-after-dtor")
# What LLVM's passes heed, whoever has made the bitcode.
_PASS_FLAGS = re.compile(
    r"-mllvm=.*|-f(no-)?(vectorize|slp-vectorize|tree-vectorize|unroll-loops|builtin.*)|-ffreestanding"
)
_LOCAL_BOUNDS = "local-bounds"  # the one check of undefined behaviour that is a pass
_HEEDED = ("-fno-sanitize-ignorelist", _AT_CALLS, _NOT_AT_CALLS)
_IGNORE_LISTS = ("-fsanitize-ignorelist=", "-fsanitize-blacklist=")


def bits_words(cflags: Sequence[str]) -> frozenset[str]:
    """How the user's flags change checks of uninitialised values, as the words of check_names."""
    chosen = [word for word in cflags if word in (_AT_CALLS, _NOT_AT_CALLS)]
    return frozenset((BITS_CROSS_CALLS,) if chosen[-1:] == [_NOT_AT_CALLS] else ())


def pass_words(cflags: Sequence[str]) -> Iterator[str]:
    """The user's flags for a command that only runs LLVM's passes over bitcode."""
    for before, word in zip(("", *cflags), cflags, strict=False):
        if before == "-mllvm" and not word.startswith(_PASS_WORDS):
            yield from ("-mllvm", word)
        elif _PASS_FLAGS.fullmatch(word) and not word.startswith(_PASS_WORDS):
            yield word
        elif _LOCAL_BOUNDS in word.split("=")[-1].split(",") and word.startswith("-fsanitize="):
            yield from ("-Xclang", f"-fsanitize={_LOCAL_BOUNDS}")


def left_out(cflags: Sequence[str]) -> frozenset[str]:
    """Parts of race checks that the user's flags leave out, as the words of check_names.

    They are clang's own: -fno-sanitize-thread-memory-access, -fno-sanitize-thread-atomics, and
    behind -mllvm -tsan-instrument-memory-accesses=0, -tsan-instrument-atomics=0. The last counts.
    """
    found: set[str] = set()
    for word in cflags:
        name, _, value = word.removeprefix("-mllvm=").partition("=")
        if part := _PARTS.get(name):
            is_off = name.startswith("-fno-") or value.lower() in ("0", "false")
            (found.add if is_off else found.discard)(part)
    return frozenset(found)


def front_end_words(cflags: Sequence[str]) -> Iterator[str]:
    """The user's flags, with ignore lists in the form that marks heed.

    `-fsanitize-ignorelist=FILE` (or -blacklist) may name functions, files, globals and types, in
    clang's own grammar; the driver would drop it, as it knows of no sanitizer.
    Raises UsageError for a list that is not there.
    """
    if "-fno-sanitize-ignorelist" in cflags:
        last = len(cflags) - 1 - cflags[::-1].index("-fno-sanitize-ignorelist")
        cflags = [
            *(word for word in cflags[:last] if not word.startswith(_IGNORE_LISTS)),
            *cflags[last + 1 :],
        ]
    before = ""
    for word, following in zip(cflags, (*cflags[1:], ""), strict=False):
        if word.startswith(_PASS_WORDS) or (word == "-mllvm" and following.startswith(_PASS_WORDS)):
            continue
        if word.startswith(_IGNORE_LISTS):
            path = word.partition("=")[2]
            if not Path(path).is_file():
                raise UsageError(f"{word}: no such file")
            if before != "-Xclang":
                yield "-Xclang"
            yield f"{_IGNORE_LISTS[0]}{path}"
            yield "-fno-crash-diagnostics"  # clang takes a malformed line for its own crash
        elif word in _DESTROYED:
            yield from ("-Xclang", word)
        elif word not in _HEEDED and not word.startswith((_LEFT_OUT, _PUT_IN)):
            yield word
        before = word
