"""The pipeline as a whole: names of passes, the whole corpus, what it imports."""

from __future__ import annotations

from pathlib import Path

import pytest

from irsan.errors import UsageError
from irsan.instrument.passes import PASS_NAMES, find_pass
from irsan.instrument.pipeline import instrument_module
from irsan.ir.printing import print_module
from irsan.ir.reading import read_module

CORPUS = sorted((Path(__file__).resolve().parents[1] / "ir" / "corpus").glob("*.ll"))


@pytest.mark.parametrize("name", PASS_NAMES)
def test_passes_are_found_by_name(name: str) -> None:
    assert hasattr(find_pass(name), "apply") or hasattr(find_pass(name), "handlers")


def test_an_unknown_pass_is_named_in_the_message() -> None:
    with pytest.raises(UsageError, match="no pass is called spells"):
        find_pass("spells")


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
@pytest.mark.parametrize("portable", [True, False])
def test_llvm_accepts_the_whole_corpus(path: Path, portable: bool) -> None:
    import llvmlite.binding as llvm

    module = read_module(path)
    instrument_module(module, frozenset(("address", "thread")), portable=portable)
    llvm.parse_assembly(print_module(module)).verify()


def test_instrumenting_imports_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import sys; import irsan.instrument.pipeline, irsan.instrument.access.block_walk\n"
        "print([m for m in ('numba', 'llvmlite', 'numpy', 'rich', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
