"""Atomic updates by call: each name that irsan has does what LLVM's library does, and is atomic."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from irsan.engine.glue.openmp_atomics import PREFIX, atomic_functions
from irsan.interceptors.openmp.atomics import EXPORTS
from tests.engine.test_openmp_routines import ENGINES, natively, run

_TYPES = {"fixed1": "signed char", "fixed2": "short", "fixed4": "int", "fixed8": "long",
          "float4": "float", "float8": "double", "float10": "long double"}  # fmt: skip
_HEAD = """
#include <omp.h>
#include <stdio.h>
static struct { int unused[4]; const char *where; } at = {{0, 2}, ";unknown;unknown;0;0;;"};
"""
SHARED = """
extern void __kmpc_atomic_float8_add(void *, int, double *, double);
extern double __kmpc_atomic_float8_rd(void *, int, double *);
int main(void) {
    double sum = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 100; i++) {
        __kmpc_atomic_float8_add(&at, 0, &sum, i);
        LOOK;
    }
    printf("%g\\n", sum);
}
"""


def names() -> list[str]:
    """Those that LLVM's library has: for unsigned integers only what depends on the sign."""
    plain = {export.name for export in EXPORTS if export.name.startswith(PREFIX)}
    kept = {name for name in plain if not re.search(r"fixed\du_(?!div|shr)", name)}
    return sorted(kept | set(atomic_functions()))


def call_of(name: str) -> tuple[str, str]:
    """A declaration in C, and statements that call the function and print what it has done."""
    family, word = re.fullmatch(rf"{PREFIX}([a-z]+\d+u?)_(\w+)", name).groups()  # type: ignore[union-attr]
    kind = _TYPES[family.rstrip("u")] if family != "fixed1u" else "char"
    kind = f"unsigned {kind.replace('signed ', '')}" if family.endswith("u") else kind
    value = "double" if word.endswith("float8") else kind
    is_read, captures = word == "rd", "_cpt" in word
    returns = kind if is_read or captures or word == "swp" else "void"
    parameters = ["void *", "int", f"{kind} *", *([] if is_read else [value])]
    parameters += ["int"] if captures else []
    old = "-13" if family in ("fixed2", "fixed8") else "13.5"
    lines = ""
    for flag in ("0", "1") if captures else ("",):
        given = ", ".join(["&at", "0", "&x", *([] if is_read else [f"({value})3.75"]), *flag])
        call = f"{name}({given})"
        lines += f"  {{ {kind} x = ({kind}){old}, r = 0; {'' if returns == 'void' else 'r = '}"
        lines += f'{call}; printf("{name} %Lg %Lg\\n", (long double)x, (long double)r); }}\n'
    return f"extern {returns} {name}({', '.join(parameters)});\n", lines


def program() -> str:
    parts = [call_of(name) for name in names()]
    declared, body = "".join(one for one, _ in parts), "".join(lines for _, lines in parts)
    return f"{_HEAD}{declared}int main(void) {{\n  omp_get_max_threads();\n{body}}}\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_each_does_what_llvms_library_does(tmp_path: Path, engine: str) -> None:
    printed, said = run(tmp_path, engine, program())
    assert said == "" and len(printed.splitlines()) > 250
    assert printed.splitlines() == natively(tmp_path, program()).splitlines()


@pytest.mark.parametrize("engine", ENGINES)
def test_they_are_atomic_and_race_with_plain_accesses(tmp_path: Path, engine: str) -> None:
    atomic = SHARED.replace("LOOK", "__kmpc_atomic_float8_rd(&at, 0, &sum)")
    assert run(tmp_path, engine, _HEAD + atomic) == ("4950\n", "")
    _, said = run(tmp_path, engine, _HEAD + SHARED.replace("LOOK", 'if (sum < 0) puts("no")'))
    assert "data race" in said
