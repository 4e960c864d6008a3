"""-fsanitize-ignorelist: functions, files and globals that the user does not want to be checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from irsan.engine.front_end.front_end_flags import front_end_words
from irsan.errors import UsageError

MAIN = """
extern int elsewhere(int i);
__attribute__((aligned(32))) int spoilt[2];
__attribute__((noinline)) static int broken(volatile int i) {
    volatile char text[10] = {0};
    return text[i * 10];
}
int main(int argc, char **argv) {
    if (argc == 2) return broken(argc - 1) & 0;
    if (argc == 3) return elsewhere(argc - 2) & 0;
    if (argc == 4) return *(volatile int *)&spoilt[argc - 2] & 0;
    return 0;
}
"""
OTHER = """
int elsewhere(int i) { volatile char text[10] = {0}; volatile int at = i * 10; return text[at]; }
"""
KINDS = (["stack-buffer-overflow"], ["stack-buffer-overflow"], ["global-buffer-overflow"])

ADDRESS = frozenset({"address"})


def run(runner: BatchRunner, folder: Path, flags: tuple[str, ...], n_words: int, level: int
        ) -> RunResult:  # fmt: skip
    for name, text in (("main.c", MAIN), ("other.c", OTHER)):
        (folder / name).write_text(text)
    programs = [[folder / "main.c", folder / "other.c"]]
    (result,) = runner.run(
        *programs, cflags=flags, arguments=["w"] * n_words, opt_level=level, sanitize=ADDRESS
    )
    return result


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("n_words", [1, 2, 3])
@pytest.mark.parametrize("line", ["fun:*broken*", "src:*other.c", "global:spoilt"])
def test_each_line_hides_its_own(
    runner: BatchRunner, tmp_path: Path, line: str, n_words: int, level: int
) -> None:
    (tmp_path / "list").write_text(f"# known\n{line}\n")
    result = run(runner, tmp_path, (f"-fsanitize-ignorelist={tmp_path / 'list'}",), n_words, level)
    hides = ("fun:*broken*", "src:*other.c", "global:spoilt").index(line) == n_words - 1
    found = [finding["kind"] for finding in result.findings]
    assert found == ([] if hides else KINDS[n_words - 1]), result.stderr


def test_a_list_is_read_again_when_it_changes(runner: BatchRunner, tmp_path: Path) -> None:
    flags = (f"-fsanitize-ignorelist={tmp_path / 'list'}",)
    (tmp_path / "list").write_text("fun:broken\n")
    assert run(runner, tmp_path, flags, 1, 1).findings == []
    (tmp_path / "list").write_text("fun:whole\n")
    assert len(run(runner, tmp_path, flags, 1, 1).findings) == 1


def test_a_file_without_any_mark_is_not_checked(runner: BatchRunner, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(
        "__attribute__((no_sanitize(\"address\"))) int main(int argc, char **argv) {\n"
        "    volatile char text[10] = {0}; volatile int at = argc * 10; return text[at] & 0; }\n"
    )
    (result,) = runner.run([path], sanitize=ADDRESS)
    assert (result.findings, result.exit_status) == ([], 0)


UNSET = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void decide(volatile int *at) { if (*at) puts("set"); }
int main(void) { decide(malloc(sizeof(int))); return 0; }
"""


@pytest.mark.parametrize(("line", "n_found"), [("fun:decide", 0), ("fun:main", 1)])
def test_uses_of_unset_values_are_hidden_too(
    runner: BatchRunner, tmp_path: Path, line: str, n_found: int
) -> None:
    (tmp_path / "list").write_text(f"{line}\n")
    (tmp_path / "p.c").write_text(UNSET)
    flags = (f"-fsanitize-ignorelist={tmp_path / 'list'}",)
    (result,) = runner.run([tmp_path / "p.c"], cflags=flags, sanitize=frozenset({"memory"}))
    assert [finding["kind"] for finding in result.findings] == (
        ["use-of-uninitialized-value"] * n_found
    )


def test_lists_go_to_the_front_end(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_text("")
    heeded = ["-Xclang", f"-fsanitize-ignorelist={one}", "-fno-crash-diagnostics"]
    assert list(front_end_words(["-Wall", heeded[1]])) == ["-Wall", *heeded]
    assert list(front_end_words([f"-fsanitize-blacklist={one}"])) == heeded
    assert list(front_end_words(heeded[:2])) == heeded
    off = "-fno-sanitize-ignorelist"
    assert list(front_end_words([heeded[1], off, "-g"])) == ["-g"]
    assert list(front_end_words([heeded[1], off, heeded[1]])) == heeded
    with pytest.raises(UsageError, match="no such file"):
        list(front_end_words([f"-fsanitize-ignorelist={tmp_path / 'none'}"]))


@pytest.mark.parametrize(("line", "n_found"), [("global:late=init", 0), ("global:other=init", 1)])
def test_what_a_list_excuses_from_the_order_of_initialisation(
    runner: BatchRunner, tmp_path: Path, line: str, n_found: int
) -> None:
    (tmp_path / "list").write_text(line + "\n")
    (tmp_path / "a.cpp").write_text("extern int late; int early = late; int main() {}\n")
    (tmp_path / "b.cpp").write_text("volatile int four = 4; int late = four;\n")
    (result,) = runner.run(
        [tmp_path / "a.cpp", tmp_path / "b.cpp"],
        cflags=(f"-fsanitize-ignorelist={tmp_path / 'list'}",),
        environment={"ASAN_OPTIONS": "check_initialization_order=1"},
        opt_level=0,
        sanitize=ADDRESS,
    )
    found = [finding["kind"] for finding in result.findings]
    assert found == ["initialization-order-fiasco"] * n_found


RACY = """
#include <pthread.h>
int here, there;
__attribute__((noinline)) void touch_there(void) { there++; }
__attribute__((noinline)) void touch_here(void) { here++; }
__attribute__((noinline)) void touch_both(void) { touch_here(); touch_there(); }
static void *worker(void *unused) { touch_both(); return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    touch_both();
    pthread_join(thread, NULL);
    return __has_feature(thread_sanitizer) - 1;
}
"""


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("", {"touch_here", "touch_there"}),
        ("fun:touch_here", {"touch_there"}),
        ("fun:touch_both", {"touch_here", "touch_there"}),
        ("[thread]\nfun:touch_*", set()),
        ("[address]\nfun:touch_*", {"touch_here", "touch_there"}),
        ("src:*p.c", set()),
    ],
)
def test_lists_say_where_no_races_are_looked_for(
    runner: BatchRunner, tmp_path: Path, lines: str, found: set[str], level: int
) -> None:
    (tmp_path / "list").write_text(lines + "\n")
    (tmp_path / "p.c").write_text(RACY)
    (result,) = runner.run(
        [tmp_path / "p.c"],
        cflags=(f"-fsanitize-ignorelist={tmp_path / 'list'}",),
        opt_level=level,
        sanitize=frozenset({"thread"}),
    )
    races = {finding["stacks"][0]["frames"][0]["function"] for finding in result.findings}
    assert races == found
    assert (result.exit_status == 0) == (not found)  # else the program sees no detector
    for finding in result.findings:  # who is not checked is part of stacks all the same
        names = [frame["function"] for frame in finding["stacks"][0]["frames"]]
        assert names[1] == "touch_both"
