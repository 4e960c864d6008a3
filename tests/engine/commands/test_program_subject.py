"""What the process that is saved tells of itself."""

from __future__ import annotations

import ctypes
import os
import signal

import pytest

from irsan.engine.commands import program_subject
from irsan.engine.snapshot.restored import Mailbox
from irsan.errors import InternalError


def test_facts_that_the_kernel_does_not_know() -> None:
    mailbox = Mailbox()
    facts = program_subject._facts(mailbox)
    assert facts["mailbox"] == ctypes.addressof(mailbox)
    assert facts["robust_list"][1] == 24  # struct robust_list_head
    heap = [line for line in open("/proc/self/maps") if line.endswith("[heap]\n")]  # noqa: PTH123, SIM115
    lo = int(heap[0].split("-")[0], 16)
    hi = int(heap[-1].split()[0].split("-")[1], 16)  # the kernel may keep it in parts
    assert lo < facts["brk"] <= hi
    assert any(path.endswith("/engine/commands/program_subject.py") for path in facts["files"])


def test_it_stops_where_it_is_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Continued without having been restored, it says so and runs nothing."""
    stops = []
    monkeypatch.setattr(program_subject, "_ready_runtime", lambda _mailbox, _boot: "ready")
    monkeypatch.setattr(program_subject, "rehearse", lambda _run: 0)
    monkeypatch.setattr(program_subject, "trace_me", lambda: None)
    monkeypatch.setattr(os, "kill", lambda pid, number: stops.append((pid, number)))
    with pytest.raises(InternalError, match="has been continued"):
        program_subject.wait_to_be_restored("boot", lambda _ready: None)
    assert stops == [(os.getpid(), signal.SIGSTOP)]


def test_it_goes_on_with_the_words_of_the_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    mailboxes: list[Mailbox] = []

    def ready(mailbox: Mailbox, _boot: str) -> str:
        mailboxes.append(mailbox)
        return "ready"

    def restore(_pid: int, _number: int) -> None:
        mailboxes[0].is_restored = 1

    monkeypatch.setattr(program_subject, "_ready_runtime", ready)
    monkeypatch.setattr(program_subject, "rehearse", lambda _run: 0)
    monkeypatch.setattr(program_subject, "trace_me", lambda: None)
    monkeypatch.setattr(
        program_subject, "renew_process", lambda _mailbox: ["cache", "path", "argv0"]
    )
    monkeypatch.setattr(os, "kill", restore)
    found = program_subject.wait_to_be_restored("boot", lambda _ready: None)
    assert found == (["cache", "path", "argv0"], "ready")
