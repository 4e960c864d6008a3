"""Eight threads, random sizes, and a model that counts: tests/support/heap_soak.c.

IRSAN_SOAK_OPERATIONS=10000000 makes it the long one. One of two seeds is run (`in_part`;
IRSAN_PART=all: both).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.irsan_runs import bundled_compiler, in_part

SUPPORT = Path(__file__).parents[1] / "support"
OPERATIONS = int(os.environ.get("IRSAN_SOAK_OPERATIONS", "300000"))
QUARANTINE_MB = 16
N_LOST, LOST_BYTES, N_KEPT = 24, 1000, 50
# Spans that a class has opened and not filled: 52 classes, up to a MiB each.
OVERHEAD_BYTES = 52 << 20
_STATS = re.compile(
    r"heap: (?P<live>\d+) blocks of (?P<live_bytes>\d+) bytes live, (?P<freed>\d+) freed, "
    r"(?P<quarantined>\d+) in quarantine, (?P<peak>\d+) bytes at most, (?P<memory>\d+) bytes"
)

DAMAGE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 100 };
static unsigned char *volatile blocks[N];
int main(void) {
    for (int i = 0; i < N; i++) {
        blocks[i] = malloc(8 + i);
        memset(blocks[i], i, 8 + i);
    }
    for (int i = 0; i < N; i++) {
        unsigned char *block = blocks[i];
        for (int n = 1; n <= 16; n += 5) *(volatile unsigned char *)(block - n) = 0xff;
        for (int n = 0; n < 16; n += 5) *(volatile unsigned char *)(block + 8 + i + n) = 0xff;
    }
    for (int i = 0; i < N; i += 2) {
        unsigned char *block = blocks[i];
        free(block);
        for (int n = 0; n < 8 + i; n++) *(volatile unsigned char *)(block + n) = 0xff;
        blocks[i] = NULL;
    }
    int n_wrong = 0;
    for (int i = 1; i < N; i += 2) {
        unsigned char *block = realloc(blocks[i], 2 * (8 + i));
        for (int n = 0; n < 8 + i; n++) n_wrong += block[n] != (unsigned char)i;
        free(block);
        blocks[i] = NULL;
    }
    printf("%d wrong\\n", n_wrong);
    return 0;
}
"""


def run(source: Path, report: Path, *words: str, **environment: str) -> tuple[Any, Any, str]:
    """(answer, numbers of the heap, standard output's text); the report goes to `report`."""
    command = [sys.executable, "-m", "irsan", "run", "--stats", "--cc", bundled_compiler()]
    command += ["--report-format", "json", "--report-path", str(report), str(source), *words]
    answer = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=900,
        check=False,
    )  # fmt: skip
    stats = _STATS.search(answer.stderr)
    assert stats is not None, answer.stderr
    return answer, {name: int(text) for name, text in stats.groupdict().items()}, answer.stdout


@pytest.mark.parametrize("seed", in_part(["1", "2"], 2))
def test_soak(tmp_path: Path, seed: str) -> None:
    report = tmp_path / "report.json"
    flags = f"quarantine_size_mb={QUARANTINE_MB}"
    words = (str(OPERATIONS), seed)
    answer, heap, output = run(SUPPORT / "heap_soak.c", report, *words, ASAN_OPTIONS=flags)
    allocations, frees, live_bytes, peak_bytes = map(int, output.split())
    assert allocations + frees > OPERATIONS
    assert heap["freed"] == frees
    assert heap["live"] == allocations - frees <= N_LOST + N_KEPT
    assert heap["live_bytes"] == live_bytes
    assert heap["peak"] >= peak_bytes
    assert heap["memory"] <= (QUARANTINE_MB << 20) + 1.5 * heap["peak"] + OVERHEAD_BYTES
    findings = json.loads(report.read_text())["findings"]
    assert {finding["kind"] for finding in findings} == {"direct-leak"}
    assert sum(finding["details"]["n_objects"] for finding in findings) == N_LOST
    assert sum(finding["details"]["total_bytes"] for finding in findings) == N_LOST * LOST_BYTES
    assert answer.returncode == 66


def test_the_heap_survives_every_write_that_is_reported(tmp_path: Path) -> None:
    """Records lie out of line, where no overflow and no late write reaches them."""
    source = tmp_path / "damage.c"
    source.write_text(DAMAGE)
    flags = "halt_on_error=0:suppress_equal_pcs=0"
    _, heap, output = run(source, tmp_path / "report.json", ASAN_OPTIONS=flags)
    assert output == "0 wrong\n"
    assert (heap["live"], heap["live_bytes"]) == (0, 0)
    assert heap["freed"] == heap["quarantined"] == 150
    findings = json.loads((tmp_path / "report.json").read_text())["findings"]
    assert {finding["kind"] for finding in findings} == {
        "heap-buffer-overflow", "heap-use-after-free"
    }  # fmt: skip
    assert len(findings) > 1000
