"""What the restorer accepts of a table: whole, and everything that it names unchanged."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from irsan.engine.snapshot.kept import is_current
from irsan.engine.snapshot.table import (
    ANONYMOUS,
    FORMAT,
    N_REGISTERS,
    Fill,
    Layout,
    Mapping,
    SavedProcess,
    ThreadFacts,
    encode,
    stamp_of,
    sum_of,
)
from irsan.engine.snapshot.take import keep, machine_facts
from tests.engine.snapshot.own_cache import own_cache

PAGES = b"x" * 4096


def saved_process(cpu: bytes, kernel: str, *files: Path) -> SavedProcess:
    return SavedProcess(
        cpu, kernel, tuple(range(N_REGISTERS)), 0x1000, ThreadFacts(1, 2, 3, 4, 5, 6), (7, 8),
        Layout(*range(7)), ((0x1000, 0x2000),), tuple(map(str, files)),
        (Mapping(0x10000, 0x11000, 3, ANONYMOUS),), (Fill(0x10000, 0x11000, 3, 0, is_read=True),),
    )  # fmt: skip


@pytest.fixture(scope="module")
def restorer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_cache(tmp_path_factory.mktemp("table")).restorer


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.py"
    path.write_text("a = 1\n")
    return path


def test_what_has_not_changed_is_current(restorer: Path, source: Path) -> None:
    keep(saved_process(*machine_facts(restorer), source), [PAGES], restorer.parent)
    assert is_current(restorer)


def test_an_edited_file_is_told(restorer: Path, source: Path) -> None:
    keep(saved_process(*machine_facts(restorer), source), [PAGES], restorer.parent)
    source.write_text("a = 2\n")
    assert not is_current(restorer)
    source.unlink()
    assert not is_current(restorer)


def test_a_hard_link_changes_nothing(restorer: Path, source: Path) -> None:
    keep(saved_process(*machine_facts(restorer), source), [PAGES], restorer.parent)
    os.link(source, source.with_name("link"))
    assert is_current(restorer)


def test_another_machine_is_told(restorer: Path, source: Path) -> None:
    cpu, kernel = machine_facts(restorer)
    saved = saved_process(cpu, kernel, source)
    for other in (replace(saved, cpu=bytes(len(cpu))), replace(saved, kernel=kernel + "1")):
        keep(other, [PAGES], restorer.parent)
        assert not is_current(restorer)


def test_damage_is_told(restorer: Path, source: Path) -> None:
    keep(saved_process(*machine_facts(restorer), source), [PAGES], restorer.parent)
    table = restorer.with_name("table")
    whole = table.read_bytes()
    for damaged in (whole[:-8], whole[:-1] + b"!", whole + bytes(8), b"IRSNAP00" + whole[8:], b""):
        table.write_bytes(damaged)
        assert not is_current(restorer)
    table.write_bytes(whole)
    assert is_current(restorer)


def test_what_others_may_have_written_is_refused(restorer: Path, source: Path) -> None:
    keep(saved_process(*machine_facts(restorer), source), [PAGES], restorer.parent)
    table = restorer.with_name("table")
    table.chmod(0o620)
    assert not is_current(restorer)
    table.chmod(0o600)
    assert is_current(restorer)
    moved = table.rename(table.with_name("moved"))
    table.symlink_to(moved)
    assert not is_current(restorer)
    table.unlink()


def test_other_pages_are_refused(restorer: Path, source: Path) -> None:
    keep(saved_process(*machine_facts(restorer), source), [PAGES], restorer.parent)
    restorer.with_name("pages").write_bytes(b"y" * 4096)
    assert not is_current(restorer)


def test_the_header_vouches_for_the_rest(source: Path) -> None:
    raw = encode(saved_process(bytes(80), "kernel", source), stamp_of(source.stat()))
    assert raw.startswith(FORMAT.encode())
    assert int.from_bytes(raw[8:16], "little") == len(raw)
    assert int.from_bytes(raw[16:24], "little") == sum_of(raw[24:])
    assert str(source).encode() + b"\0" in raw
