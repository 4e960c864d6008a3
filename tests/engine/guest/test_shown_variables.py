"""Programs read variables of libraries that lie among irsan's own."""

from __future__ import annotations

from pathlib import Path

from irsan.engine.commands.batch import BatchRunner

SOURCE = """
extern unsigned __cpu_model[4];
extern char __libc_single_threaded;
int main(void) {
    volatile unsigned *model = __cpu_model;
    volatile char *is_single = &__libc_single_threaded;
    return model[0] == 0 || *is_single != 0;
}
"""


def test_shown_variables_can_be_read(runner: BatchRunner, tmp_path: Path) -> None:
    (tmp_path / "shown.c").write_text(SOURCE)
    (result,) = runner.run((tmp_path / "shown.c",))
    assert (result.findings, result.exit_status) == ([], 0)
