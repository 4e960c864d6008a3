"""What accesses touch, in the source's words: each line of a program says what it wants to read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irsan.engine.front_end.frontend import compile_to_ir
from irsan.engine.options import FrontendOptions
from irsan.instrument.sites.access_paths import AccessPaths
from irsan.instrument.sites.debug_types import index_text
from irsan.ir.datalayout import DataLayout
from irsan.ir.memory import Load, Store
from irsan.ir.metadata import DILocation
from irsan.ir.module import Module
from irsan.ir.reading import parse_ir_bitcode
from tests.support.irsan_runs import bundled_compiler
from tests.support.text_runs import TextRuns

C = """\
struct in { int k; int grid[2][5]; };
union word { int whole; char bytes[4]; };
struct node {
    int key; struct node *next[4];
    union { struct { char lo, hi; }; short both; };
    struct in inner[3]; unsigned bits : 3; union word word;
};
typedef struct node node_t;
node_t *head;
node_t table[3];
double matrix[3][4];
static const volatile struct in hidden;
void members(struct node *s) {
    s->key = 1;                             // s->key
    s->next[3] = s;                         // s->next[3]
    s->lo = 1;                              // s->lo
    s->both = 1;                            // s->both
    s->inner[2].grid[1][4] = 1;             // s->inner[2].grid[1][4]
    s->word.whole = 1;                      // s->word.whole
    s->word.bytes[2] = 1;                   // s->word.bytes[2]
    (*s).hi = 3;                            // s->hi
}
void indices(int i, unsigned char c, long j) {
    table[i].key = 1;                       // table[i].key
    table[i + 1].key = 1;                   // table[i + 1].key
    table[c].inner[2].k = 1;                // table[c].inner[2].k
    matrix[i][j] = 1;                       // matrix[i][j]
    matrix[2][j] = 1;                       // matrix[2][j]
    matrix[i][3] = 1;                       // matrix[i][3]
}
int pointers(int *p, int **pp, char *text, void *v, int i) {
    *p = 1;                                 // *p
    p[3] = 1;                               // p[3]
    p[-2] = 1;                              // p[-2]
    p[i] = 1;                               // p[i]
    *pp[1] = 1;                             // *pp[1]
    pp[1][2] = 1;                           // pp[1][2]
    text[i + 2] = 1;                        // text[i + 2]
    *(int *)v = 1;                          // *v
    return hidden.grid[1][2];               // hidden.grid[1][2]
}
void chains(void) {
    head->next[2]->next[1]->key = 1;        // head->next[2]->next[1]->key
    head->next[0]->inner[1].k = 1;          // head->next[0]->inner[1].k
}
"""
CPP = """\
struct base { int first; virtual ~base(); };
struct kept : base {
    int count; static int all;
    void up() {
        count = 1;                          // this->count
        first = 1;                          // this->first
        all = 1;                            // all
    }
};
int kept::all;
base::~base() {}
kept one;
void by_reference(kept &r, kept *&p, const int &n, int (&numbers)[4]) {
    r.count = 1;                            // r.count
    p->count = 1;                           // p->count
    numbers[2] = n;                         // numbers[2]
    r.up();
}
"""
_WANTED = re.compile(r"// (.+)$")


def wanted_by_line(text: str) -> dict[int, str]:
    found = ((n, _WANTED.search(line)) for n, line in enumerate(text.splitlines(), 1))
    return {n: match[1] for n, match in found if match}


def touched_by_line(module: Module) -> dict[int, set[str]]:
    """What each line writes, or reads where it writes nothing."""
    layout = DataLayout.of(module.data_layout)
    writes: dict[int, set[str]] = {}
    reads: dict[int, set[str]] = {}
    for function in module.functions:
        paths = AccessPaths(function, layout)
        for block in function.blocks:
            for one in block.instructions:
                place = one.debug_location
                if isinstance(one, Load | Store) and isinstance(place, DILocation):
                    is_store = isinstance(one, Store)
                    size = layout.store_size(one.operands[0].type if is_store else one.type)
                    lines = writes if is_store else reads
                    expression = paths.of(one.operands[int(is_store)], size, place).text
                    lines.setdefault(place.line, set()).add(expression)
    return reads | writes


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize(("text", "suffix"), [(C, ".c"), (CPP, ".cpp")])
def test_each_line_touches_what_it_says(
    text: str, suffix: str, level: int, tmp_path: Path
) -> None:
    source = tmp_path / f"p{suffix}"
    source.write_text(text)
    options = FrontendOptions(cc=bundled_compiler(), opt_level=level)
    (unit,) = compile_to_ir([source], options)
    found = touched_by_line(parse_ir_bitcode(unit.bitcode))
    wrong = {
        line: found.get(line)
        for line, want in wanted_by_line(text).items()
        if not (want in found.get(line, ()) or (level and found.get(line, {""}) <= {""}))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("words", "number", "expected"),
    [([], 3, "[3]"), (["i"], 0, "[i]"), (["i"], 2, "[i + 2]"), (["i"], -1, "[i - 1]"),
     (["i", "j"], 0, "[i + j]"), ([], -4, "[-4]")],
)  # fmt: skip
def test_indices_in_words(words: list[str], number: int, expected: str) -> None:
    assert index_text(words, number) == expected


RACE = """
#include <pthread.h>
static struct { int unused; struct { int key; } in[3]; } table;
static void *work(void *unused) { table.in[2].key = 1; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    table.in[2].key = 2;
    return pthread_join(thread, 0);
}
"""


def test_reports_say_it(text_runs: TextRuns) -> None:
    result = text_runs(RACE, opt_level=0)
    (finding,) = result.findings
    tops = [s["frames"][0] for s in finding["stacks"] if s["role"] in ("access", "previous")]
    assert [top["expression"] for top in tops] == ["table.in[2].key"] * 2
    assert result.stderr.count("\n    touches table.in[2].key\n") == 2
