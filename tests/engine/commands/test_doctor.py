"""The doctor: what is well, what is only slower, and what does not work."""

from __future__ import annotations

import io
import os
import resource
from pathlib import Path

import pytest

from irsan.engine.commands import doctor
from irsan.runtime.layout import memory_map

ENVIRONMENT = {"PATH": os.environ.get("PATH", "")}


def test_every_check_is_a_line(tmp_path: Path) -> None:
    stream = io.StringIO()
    environment = ENVIRONMENT | {"IRSAN_CACHE_DIR": str(tmp_path)}
    status = doctor.run_doctor(environment, stream)
    lines = stream.getvalue().splitlines()
    states = [line.split()[0] for line in lines]
    assert set(states) <= {"ok", "note", "bad"}
    assert status == int("bad" in states)
    for word in ("LLVM", "numba", "compiler", "cache", "guest memory", "processor", "fast comp"):
        assert any(word in line for line in lines)


def test_no_compiler_is_bad(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("irsan.engine.front_end.compilers._bundled_compiler", lambda _: None)
    environment = {"PATH": str(tmp_path), "IRSAN_CACHE_DIR": str(tmp_path / "cache")}
    stream = io.StringIO()
    assert doctor.run_doctor(environment, stream) == 1
    assert "pip install 'irsan[cc]'" in stream.getvalue()


def test_a_cache_that_cannot_be_written_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    environment = ENVIRONMENT | {"IRSAN_CACHE_DIR": str(tmp_path / "file" / "cache")}
    checks = {check.name: check for check in doctor.all_checks(environment)}
    assert checks["cache"].state == "note"
    assert "IRSAN_CACHE_DIR" in checks["cache"].text


@pytest.mark.parametrize("saved", ["compiler", "run"])
def test_what_starts_from_a_saved_process_is_told(tmp_path: Path, saved: str) -> None:
    environment = ENVIRONMENT | {"IRSAN_CACHE_DIR": str(tmp_path)}
    check = doctor._kept_process_check(saved, environment)
    assert check.state == "note" and "irsan warm-up" in check.text
    check = doctor._kept_process_check(saved, {**environment, "IRSAN_SNAPSHOT": "off"})
    assert check.text == "switched off by the environment"


def test_taken_guest_memory_is_bad_and_names_its_owner() -> None:
    low = memory_map.ARENA_LO + 0x1000
    free = "559d5a400000-559d5a421000 rw-p 00000000 00:00 0 [heap]\n"
    taken = f"{low:x}-{low + 0x1000:x} r-xp 00000000 08:01 12 /usr/lib/thing.so\n"
    assert doctor._arena_check(free).state == "ok"
    check = doctor._arena_check(free + taken)
    assert check.state == "bad"
    assert "/usr/lib/thing.so" in check.text


def test_memory_limits(tmp_path: Path) -> None:
    setting = tmp_path / "overcommit_memory"
    setting.write_text("2\n")
    assert doctor._overcommit_check(setting).state == "bad"
    setting.write_text("0\n")
    assert doctor._overcommit_check(setting).state == "ok"
    assert doctor._overcommit_check(tmp_path / "missing").state == "note"
    assert doctor._address_space_check(resource.RLIM_INFINITY).state == "ok"
    assert doctor._address_space_check(1 << 33).state == "bad"
