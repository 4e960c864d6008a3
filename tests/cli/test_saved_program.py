"""A process that goes on from a snapshot runs what it was started for."""

from __future__ import annotations

import pytest

from irsan import saved_program


def test_it_ends_with_the_status_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    restored = (["cache", "prog"], "ready")
    monkeypatch.setattr(saved_program, "wait_to_be_restored", lambda *_: restored)
    monkeypatch.setattr(saved_program, "run_built_program", lambda *all_: given.append(all_) or 7)
    with pytest.raises(SystemExit) as end:
        saved_program.main()
    assert end.value.code == 7
    assert given == [(["cache", "prog"], "ready")]
