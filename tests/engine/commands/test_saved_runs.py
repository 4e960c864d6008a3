"""A run cannot tell whether it goes on from a saved process."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from irsan.engine.builds.saved_processes import renew_saved, why_not_saved
from irsan.saved_start import RUN, restorer_of
from tests.engine.snapshot.own_cache import OwnCache

IRSAN = shlex.join([sys.executable, "-m", "irsan"])
SOURCES = {
    "bug.c": """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char *block = malloc(10);
    printf("%d %s %s\\n", argc, argv[0], argc > 1 ? argv[1] : "");
    int last = getchar();
    free(block);
    return argc > 2 ? block[1] : last == EOF ? 3 : last;
}
""",
    "race.cpp": """
#include <pthread.h>
int shared;
void *add(void *) { shared++; return nullptr; }
int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, add, nullptr);
    add(nullptr);
    pthread_join(thread, nullptr);
    delete[] new int[3];
    new int;
}
""",
    "crash.c": "int main(void) { return *(volatile int *)0x7fff00001234; }\n",
    "signal.c": "#include <stdlib.h>\nint main(void) { abort(); }\n",
}
COMMANDS = (
    "run bug.c",
    "run bug.c word",
    "run bug.c two words",
    "run --sanitize address,leak --seed 4 -O0 bug.c two words",
    "run race.cpp",
    "run race.cpp --seed 3",
    "run --report-format json race.cpp",
    "run crash.c",
    "run signal.c",
    "run --engine interp bug.c",
    "run nowhere.c",
    "run",
    "run --unknown bug.c",
    "run --help",
    "run bug.c < bug.c",
    "run bug.c <&- >&-",
)
_CHANGING = re.compile(r'==\d+==|pid=\d+|"pid": \d+|"(started|version|[a-z]+_s)": [^,\n]+|PID: \d+')


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> OwnCache:
    """A cache with a saved run; skips the tests where none can be saved."""
    found = OwnCache(tmp_path_factory.mktemp("runs"))
    for name, text in SOURCES.items():
        (found.folder / name).write_text(text)
    if not renew_saved(RUN, found.environment, is_patient=True):
        pytest.skip(f"no snapshot here: {why_not_saved(RUN, found.environment)}")
    return found


def last_use(programs: OwnCache) -> int:
    """When a process has last read the table."""
    restorer = Path(restorer_of(programs.environment, RUN) or "")
    return restorer.with_name("table").stat().st_mtime_ns


@pytest.mark.parametrize("command", COMMANDS)
def test_it_says_the_same(programs: OwnCache, command: str) -> None:
    programs.start(f"{IRSAN} {command}", IRSAN_SNAPSHOT="off")  # compiles
    before = last_use(programs)
    slow = programs.start(f"{IRSAN} {command}", IRSAN_SNAPSHOT="off")
    assert last_use(programs) == before
    fast = programs.start(f"{IRSAN} {command}")
    assert last_use(programs) > before
    texts = [tuple(_CHANGING.sub("", one) for one in found[1:]) for found in (fast, slow)]
    assert fast[0] == slow[0]
    assert texts[0] == texts[1]


def test_a_program_that_was_never_compiled(programs: OwnCache) -> None:
    (programs.folder / "new.c").write_text("int main(void) { return 5; }\n")
    before = last_use(programs)
    assert programs.start(f"{IRSAN} run new.c") == (5, "", "")
    assert last_use(programs) > before


@pytest.mark.parametrize("variable", ["LD_BIND_NOW", "IRSAN_LAYOUT_SHIFT"])
def test_an_environment_that_the_saved_process_has_not_read_starts_slowly(
    programs: OwnCache, variable: str
) -> None:
    assert programs.start(f"{IRSAN} run bug.c", **{variable: "1"})[0] == 3


def test_other_commands_start_as_ever(programs: OwnCache) -> None:
    before = last_use(programs)
    assert programs.start(f"{IRSAN} --version")[0] == 0
    assert programs.start(f"{IRSAN} replay --help")[0] == 0
    assert last_use(programs) == before


def test_nothing_is_saved_before_the_runtime_is_built(tmp_path: Path) -> None:
    assert not renew_saved(RUN, {"IRSAN_CACHE_DIR": str(tmp_path)})
    assert not list(tmp_path.rglob("restore"))


def test_why_there_is_none(tmp_path: Path) -> None:
    assert "no name" in why_not_saved(RUN, {})
    environment = {"IRSAN_CACHE_DIR": str(tmp_path), "IRSAN_SNAPSHOT": "off"}
    assert why_not_saved(RUN, environment) == "switched off by the environment"
