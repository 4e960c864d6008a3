"""The list of mappings, also of a process that has no descriptor left."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

from irsan.runtime.process_files import more_descriptors, read_maps

FEW = 64


@pytest.fixture
def all_used() -> object:
    """A soft limit of few descriptors, all of them in use; the list of those opened here."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, before[1]))
    try:
        while True:
            opened.append(os.dup(0))
    except OSError:
        yield opened
    finally:
        for one in opened:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("all_used")
def test_the_maps_are_read_without_a_descriptor() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with pytest.raises(OSError):
        os.dup(0)
    assert "[stack]" in read_maps()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
    with pytest.raises(OSError):
        os.dup(0)


@pytest.mark.usefixtures("all_used")
def test_the_limit_is_higher_for_the_moment_only() -> None:
    with more_descriptors():
        os.close(os.dup(0))
    with pytest.raises(OSError):
        os.dup(0)


def test_where_it_cannot_be_raised_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_which: int, _limits: tuple[int, int]) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    with more_descriptors():
        os.close(os.dup(0))


SPARE = """
import os, resource
from irsan.runtime import process_files
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
assert "[stack]" in process_files.read_maps()
spare = list(process_files.keep_spare())
opened = []
try:
    while True:
        opened.append(os.dup(0))
except OSError:
    pass
process_files.more_descriptors = __import__("contextlib").nullcontext
for _ in range(3):
    assert "[stack]" in process_files.read_maps()
    assert process_files.keep_spare() == spare and len(spare) == 1
os.dup2(0, spare[0])
before = os.fstat(spare[0])
assert process_files.read_maps() == ""
assert os.path.samestat(os.fstat(spare[0]), before)
"""


def test_a_spare_descriptor_is_enough_and_the_programs_own_are_left_alone() -> None:
    subprocess.run([sys.executable, "-c", SPARE], check=True, stdin=subprocess.DEVNULL)
