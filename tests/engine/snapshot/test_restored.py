"""What Python learns of the process that it is now."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from irsan.engine.snapshot import restored


def test_streams_are_as_python_makes_them(tmp_path: Path) -> None:
    file = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    stream = restored._stream(file, "w", "strict")
    assert (stream.encoding, stream.errors, stream.line_buffering) == ("utf-8", "strict", False)
    stream.write("ä")
    stream.flush()
    assert (tmp_path / "file").read_bytes() == "ä".encode()
    del stream
    os.fstat(file)  # the descriptor is not Python's to close
    os.close(file)
    assert restored._stream(file, "w", "strict") is None


def test_a_folder_is_no_stream() -> None:
    folder = os.open("/", os.O_RDONLY)
    assert restored._stream(folder, "r", "strict") is None
    os.close(folder)


def test_a_terminal_is_written_line_by_line() -> None:
    master, slave = os.openpty()
    assert restored._stream(slave, "w", "strict").line_buffering
    os.close(master)
    os.close(slave)


def test_python_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    mailbox = restored.Mailbox(ignored_signals=(1 << 64) - 1)
    words = (restored.ctypes.c_char_p * 1)(None)
    mailbox.argv = mailbox.environment = restored.ctypes.addressof(words)
    with pytest.raises(OSError, match="cannot be started"):
        restored.start_python(mailbox, "pass")
