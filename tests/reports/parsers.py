"""Small parsers in the manner of the tools that read sanitizer text, written from their rules.

    CodeChecker   header from column 0, one line skipped, then lines to the first blank one;
                  kept if a frame names an existing file
    ClusterFuzz   kind up to '(', ':' or ';', hex address needed in each frame
    CASR          from the header on, stack from ' #0 ' to an empty line, kind from SUMMARY
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_CHECKER_HEADER = re.compile(r"==\d+==(ERROR|WARNING): (Address|Memory|Thread)Sanitizer: (.*)")
_CHECKER_PLACE = re.compile(r"\s+#\d+ .*? ([^\s():]+):(\d+)(?::\d+)?")
_FUZZ_KIND = re.compile(r"ERROR: AddressSanitizer: ([^(:;]+)|ThreadSanitizer: ([^(:]+)")
_FUZZ_FRAME = re.compile(
    r"\s*#(\d+)\s+(0x[0-9a-f]+)\s+in\s+"
    r"(?:(\S.*?) (\S+:\d+(?::\d+)?)|(\S.*?) \(.*\+0x[0-9a-f]+\)|(\S.*))$"
)
_CASR_FRAME = re.compile(r"\s*#(\d+) (0x[0-9a-f]+) in (.+?)(?: (\S+:\d+:\d+))?$")
_CASR_IGNORED = ("malloc", "free", "pthread_create", "memcpy", "strlen")


@dataclass(frozen=True, slots=True)
class Place:
    message: str
    file: str
    line: int


def checker_reports(text: str) -> list[Place]:
    """What CodeChecker's asan/tsan converters would keep."""
    lines = text.splitlines()
    found = []
    for i, line in enumerate(lines):
        header = _CHECKER_HEADER.match(line)
        if not header:
            continue
        stack = []
        for frame in lines[i + 2 :]:
            if not frame.strip():
                break
            stack.append(frame)
        places = [m for m in map(_CHECKER_PLACE.match, stack) if m and Path(m[1]).exists()]
        if places:
            found.append(Place(header[3], places[0][1], int(places[0][2])))
    return found


def fuzz_state(text: str) -> tuple[str, list[str]]:
    """Crash kind and function names, as ClusterFuzz takes them from the first stack."""
    kind, functions, in_stack = "", list[str](), False
    for line in text.splitlines():
        head = _FUZZ_KIND.search(line)
        if head and not kind and not line.startswith("SUMMARY"):
            kind = re.split(r" on | \d|:", head[1] or head[2])[0].strip()
        frame = _FUZZ_FRAME.match(line)
        if frame and kind:
            name = frame[3] or frame[5] or frame[6]
            if name not in (*_CASR_IGNORED, "main"):
                functions.append(name)
        elif in_stack and not line.strip():
            break
        in_stack = in_stack or bool(frame)
    return kind, functions


def casr_crash(text: str) -> tuple[str, list[str]]:
    """Kind and first stack, as casr-san takes them."""
    start = re.search(r"==\d+==ERROR: (Address|Leak)Sanitizer:|==\d+==WARNING: Memory", text)
    assert start, "no header"
    lines = text[start.start() :].splitlines()
    first = next(i for i, line in enumerate(lines) if " #0 " in line)
    end = lines.index("", first)
    frames = [_CASR_FRAME.match(line) for line in lines[first:end]]
    assert all(frames), lines[first:end]
    summary = re.search(r"SUMMARY: \w+Sanitizer: ([\w-]+)", text)
    assert summary
    return summary[1], [f[3] for f in frames if f]
