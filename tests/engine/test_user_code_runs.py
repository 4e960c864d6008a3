"""Whole runs of C++ programs that fail inside the standard library, or end themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from irsan.engine.commands.batch import BatchRunner, RunResult
from tests.support.text_runs import TextRuns

PROGRAMS = Path(__file__).resolve().parents[1] / "programs" / "cpp"

ADDED = """
#include <numeric>
#include <vector>
int main() {
    std::vector<int> values(20, 1);
    return std::accumulate(values.begin(), values.end() + 1, 0) > 1000;
}
"""
FREED = """
#include <memory>
#include <string>
#include <vector>
struct Session { std::string user; int hits = 0; };
int main() {
    std::vector<std::unique_ptr<Session>> all;
    all.push_back(std::make_unique<Session>());
    all.push_back(std::make_unique<Session>());
    Session *first = all[0].get();
    all.erase(all.begin());
    first->hits++;
    return first->hits;
}
"""
ENDS = """
#undef NDEBUG
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
struct Base { int x = 1; virtual ~Base() {} };
struct Mine : Base, std::runtime_error { Mine() : std::runtime_error("mine") {} };
static void fail(bool now) { if (now) throw Mine(); }
static void quiet(bool now) noexcept { fail(now); }
int main(int argc, char **argv) {
    const char *how = argv[1];
    if (!strcmp(how, "thrown")) fail(true);
    if (!strcmp(how, "noexcept")) quiet(argc > 0);
    if (!strcmp(how, "number")) throw 42;
    if (!strcmp(how, "text")) throw "a text";
    if (!strcmp(how, "caught")) { try { fail(true); } catch (Mine &) { std::abort(); } }
    if (!strcmp(how, "assertion")) assert(argc == 7 && "seven");
    if (!strcmp(how, "abort")) std::abort();
}
"""
CHILDREN = r"""
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void observe(int how) {
    pid_t child = fork();
    if (child == 0) {
        assert(how != 0);
        if (how == 1) abort();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) printf("died by %d\n", WTERMSIG(status));
    else printf("exited %d\n", WEXITSTATUS(status));
    fflush(stdout);
}

int main(void) {
    for (int how = 0; how < 3; how++) observe(how);
    return 0;
}
"""
ENDINGS = {
    "thrown": ("exception", "Uncaught exception: Mine: mine"),
    "noexcept": ("exception", "Uncaught exception: Mine: mine"),
    "number": ("exception", "Uncaught exception: int: 42"),
    "text": ("exception", "Uncaught exception: char const*: a text"),
    "caught": ("abort", "The program has called abort while handling Mine: mine"),
    "assertion": ("assertion", 'Failed assertion: argc == 7 && "seven"'),
    "abort": ("abort", "The program has called abort"),
}


def line_of(text: str, words: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if words in line)


def summary(result: RunResult) -> str:
    return re.findall(r"^SUMMARY: .*", result.stderr, re.MULTILINE)[-1]


def stack(finding: Any, role: str) -> Any:
    return next(one for one in finding["stacks"] if one["role"] == role)


def test_the_programs_line_is_named_for_what_a_library_does(text_runs: TextRuns) -> None:
    result = text_runs(ADDED, suffix=".cpp")
    (finding,) = result.findings
    assert finding["kind"] == "heap-buffer-overflow"
    assert re.search(rf":{line_of(ADDED, 'accumulate(')}:\d+ in main", summary(result))
    access = stack(finding, "access")
    assert access["frames"][0]["library"] and access["frames"][access["user_frame"]]["line"] == 6
    turned = text_runs(ADDED, suffix=".cpp", environment={"IRSAN_OPTIONS": "library_frames=!std"})
    assert "accumulate" in summary(turned)


def test_library_frames_are_folded_unless_asked_for(text_runs: TextRuns) -> None:
    folded = text_runs(FREED, suffix=".cpp", sanitize="address")
    assert f":{line_of(FREED, 'first->hits++')}:" in summary(folded)
    assert re.search(r"#\d+ 0x\w+ in std::.*erase\(.*\) \[\+\d+ library frames\] /", folded.stderr)
    full = text_runs(
        FREED, suffix=".cpp", sanitize="address",
        environment={"IRSAN_OPTIONS": "show_library_frames=1:template_width=0"},
    )  # fmt: skip
    assert "library frame" not in full.stderr
    assert full.stderr.count("    #") > folded.stderr.count("    #") + 3
    (ours,), (theirs,) = folded.findings, full.findings
    assert (ours["id"], ours["stacks"]) == (theirs["id"], theirs["stacks"])


def test_the_other_stacks_of_a_finding_have_their_line_of_source(text_runs: TextRuns) -> None:
    shown = text_runs(
        FREED, suffix=".cpp", sanitize="address", environment={"IRSAN_OPTIONS": "color=always"}
    )
    for words in ("first->hits++;", "all.erase(all.begin());", "std::make_unique<Session>()"):
        assert re.search(rf"^ +\d+ \|.*{re.escape(words)}", shown.stderr, re.MULTILINE), words


@pytest.mark.parametrize("name", ["shared_ptr_replaced", "vector_grown_twice", "map_filled_twice"])
def test_one_bug_is_one_finding(name: str, runner: BatchRunner) -> None:
    results = runner.run([PROGRAMS / f"{name}.cpp"], range(3), std="c++17")
    told = [result.findings for result in results if result.findings]
    assert told and all(len(findings) == 1 for findings in told)
    assert any(findings[0]["count"] > 1 for findings in told)


@pytest.mark.parametrize(("how", "ending"), ENDINGS.items())
def test_how_a_program_ends_itself(text_runs: TextRuns, how: str, ending: tuple[str, str]) -> None:
    result = text_runs(ENDS, how, suffix=".cpp")
    (finding,) = result.findings
    assert (finding["kind"], finding["details"]["reason"]) == ("ABRT", ending[0])
    assert f"=={ending[1]}\n" in result.stderr
    assert result.exit_status == 66


def test_a_child_dies_by_its_abort_in_the_eyes_of_its_parent(text_runs: TextRuns) -> None:
    result = text_runs(CHILDREN)
    assert result.stdout == b"died by 6\ndied by 6\nexited 0\n"
    assert (result.findings, result.exit_status) == ([], 0)
    assert "Failed assertion: how != 0" in result.stderr


def test_the_interpreter_says_the_same(text_runs: TextRuns) -> None:
    for how in ("noexcept", "caught", "assertion"):
        result = text_runs(ENDS, how, suffix=".cpp", engine="interp")
        assert f"=={ENDINGS[how][1]}\n" in result.stderr
