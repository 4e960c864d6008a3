"""The reader against LLVM's own analyzer, on what two different compilers write."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from irsan.ir.bitstream import Block, read_bitstream
from irsan.ir.bitstream.flat import decode_fast

SOURCE = r"""
#include <stdio.h>
struct pair { int number; const char *name; };
static struct pair table[] = {{1, "one"}, {2, "tw\xffo"}};
static double power(double base, int times) {
    double value = 1;
    for (int i = 0; i < times; i++) value *= base + table[i & 1].number;
    return value;
}
int main(int argc, char **argv) {
    switch (argc) {
    case 1: puts(argv[0]); break;
    case 7: __sync_fetch_and_add(&table[0].number, 3); break;
    default: printf("%s %f\n", table[argc & 1].name, power(2.5, argc));
    }
    return 0;
}
"""

COMPILERS = {
    "clang-19": ["clang-19"],
    "zig": [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all"],
}

LINE = re.compile(r"\s*<(/?)(\w+)(.*?)(/?)>( blob data| num-strings)?")
FIELD = re.compile(r"(\w+)=(\d+)")


def compile_module(compiler: str, folder: Path) -> bytes:
    if compiler == "zig":
        pytest.importorskip("ziglang", reason="the pip package ziglang is not installed")
    elif shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    source, output = folder / "a.c", folder / "a.bc"
    source.write_text(SOURCE)
    flags = ["-g", "-O1", "-c", "-emit-llvm", str(source), "-o", str(output)]
    subprocess.run([*COMPILERS[compiler], *flags], check=True, timeout=120)
    return output.read_bytes()


def analyzer_lines(raw: bytes, folder: Path) -> Iterator[tuple[object, ...]]:
    """Blocks and records as LLVM's analyzer prints them, one tuple per line."""
    program = shutil.which("llvm-bcanalyzer-19")
    if program is None:
        pytest.skip("llvm-bcanalyzer-19 is not installed")
    path = folder / "b.bc"
    path.write_bytes(raw)
    command = [program, "--dump", "--non-symbolic", "--dump-blockinfo", str(path)]
    text = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
    for line in text.decode("latin-1").splitlines():
        if line.startswith("Summary "):
            return
        match = LINE.match(line)
        if match is None:
            continue
        closing, name, body, leaf, blob = match.groups()
        fields = {key: int(value) for key, value in FIELD.findall(body)}
        if closing:
            yield ("end",)
        elif not leaf:
            known = fields.get("BlockID")
            yield ("block", int(name.removeprefix("UnknownBlock")) if known is None else known)
        else:
            operands = [value for key, value in fields.items() if key.startswith("op")]
            code = fields.get("codeid") or int(name.removeprefix("UnknownCode"))
            yield ("record", code, fields.get("abbrevid", 3), operands, blob is not None)


def our_lines(blocks: list[Block]) -> Iterator[tuple[object, ...]]:
    for block in blocks:
        yield ("block", block.block_id)
        for item in block.items:
            if isinstance(item, Block):
                yield from our_lines([item])
            else:
                has_blob = item.blob is not None
                yield ("record", item.code, item.abbrev_id, item.operands, has_blob)
        yield ("end",)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_same_blocks_and_records(compiler: str, tmp_path: Path) -> None:
    raw = compile_module(compiler, tmp_path)
    theirs = list(analyzer_lines(raw, tmp_path))
    blocks = read_bitstream(raw)
    assert len(theirs) > 300
    assert list(our_lines(blocks)) == theirs
    assert decode_fast(raw) == blocks
