"""A program learns of its processor what it learns natively."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Every name that gcc 12 and clang know, by words of the two variables.
SOURCE = """
#include <stdio.h>
extern struct { unsigned vendor, type, subtype, features[1]; } __cpu_model;
extern unsigned __cpu_features2[3];
int __cpu_indicator_init(void);
int main(void) {
    __cpu_indicator_init();
    printf("%u %u %u %x %x %x %x\\n", __cpu_model.vendor, __cpu_model.type, __cpu_model.subtype,
           __cpu_model.features[0], __cpu_features2[0], __cpu_features2[1], __cpu_features2[2]);
    return 0;
}
"""

NEWEST_FEATURES = {12: 98, 13: 104, 14: 110}  # by gcc's major version


@pytest.mark.skipif(shutil.which("gcc") is None, reason="compares with libgcc")
def test_the_same_words_as_natively(tmp_path: Path) -> None:
    (tmp_path / "cpu.c").write_text(SOURCE)
    subprocess.run(["gcc", "-o", "cpu", "cpu.c"], cwd=tmp_path, check=True)
    native = subprocess.run([str(tmp_path / "cpu")], capture_output=True, text=True, check=True)
    words = [sys.executable, "-m", "irsan", "run", str(tmp_path / "cpu.c")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    ours, theirs = known_features(done.stdout), known_features(native.stdout)
    assert done.stdout.split()[:3] == native.stdout.split()[:3] and ours == theirs


def known_features(text: str) -> set[int]:
    """Numbers of the features in a program's output that the installed gcc knows."""
    version = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True, check=True)
    newest = NEWEST_FEATURES.get(int(version.stdout.split(".")[0]), 1 << 10)
    words = enumerate(int(word, 16) for word in text.split()[3:])
    numbers = {32 * place + bit for place, word in words for bit in range(32) if word >> bit & 1}
    return {number for number in numbers if number <= newest}
