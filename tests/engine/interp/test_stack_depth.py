"""How deep an interpreted program may call: as deep as frames of a slot's stack allow."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner

_SOURCE = """#include <stdio.h>
__attribute__((noinline)) int depth(int n) {
    volatile int here = n;
    return n == 0 ? 0 : 1 + depth(n - 1) + (here - n);
}
int main(void) {
    printf("%d\\n", depth(DEPTH));
    return 0;
}
"""


@pytest.mark.parametrize(("depth", "status"), [(50_000, 0), (5_000_000, 66)])
def test_depth(runner: BatchRunner, tmp_path: Path, depth: int, status: int) -> None:
    source = tmp_path / "deep.c"
    source.write_text(_SOURCE)
    (result,) = runner.run([source], [0], engine="interp", cflags=(f"-DDEPTH={depth}",))
    assert result.exit_status == status, result.stderr
    assert result.stdout == (b"" if status else b"50000\n")
    assert ("stack-overflow" in result.stderr) == bool(status)
