"""fork and its handlers, with a machine that only writes down what it is asked."""

from __future__ import annotations

import errno
import os

import pytest

from irsan.interceptors.system import host_process


class FakeGuest:
    """Notes calls in order."""

    def __init__(self) -> None:
        self.fork_handlers: list[tuple[int, int, int]] = []
        self.calls: list[int | str] = []

    def call_guest(self, function: int) -> int:
        self.calls.append(function)
        return 0

    def give_errno(self, number: int) -> None:
        self.calls.append(f"errno {number}")

    def become_parent(self) -> None:
        self.calls.append("parent")

    def become_child(self) -> None:
        self.calls.append("child")


@pytest.mark.parametrize(
    ("pid", "expected"), [(7, [21, 11, "parent", 12, 22]), (0, [21, 11, "child", 13, 23])]
)
def test_handlers_run_around_a_fork(
    monkeypatch: pytest.MonkeyPatch, pid: int, expected: list[int | str]
) -> None:
    guest = FakeGuest()
    monkeypatch.setattr(os, "fork", lambda: pid)
    assert host_process.atfork(guest, (11, 12, 13)) == 0
    assert host_process.atfork(guest, (21, 22, 23)) == 0
    assert host_process.atfork(guest, (0, 0, 0)) == 0
    assert host_process.fork(guest, ()) == pid
    assert guest.calls == expected


def test_vfork_runs_no_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = FakeGuest()
    guest.fork_handlers.append((1, 2, 3))
    monkeypatch.setattr(os, "fork", lambda: 5)
    assert host_process.vfork(guest, ()) == 5
    assert guest.calls == ["parent"]


def test_errno_says_why_the_system_refuses_a_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    guest = FakeGuest()
    monkeypatch.setattr(os, "fork", refuse)
    assert host_process.vfork(guest, ()) == -1
    assert guest.calls == [f"errno {errno.EAGAIN}"]
