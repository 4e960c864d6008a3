"""What a campaign has played, in one SQLite file: nothing is lost by a kill, nothing is kept twice.

    campaign     what decides the schedules: settings as JSON; they cannot change
    programs     command line and hash of each program; `problem` of one that could not be played
    schedules    one row per schedule: how it ended, what it found (keys), what others learn from it
    findings     each finding of a program once, as a report of one finding (irsan-report/1)

Schedules are stored in the order of their numbers, so what is there is a beginning of what will be
there.  An exploration that goes on takes the stored schedules as if they had just been played
(explorer.py).  Several threads may explore programs of one campaign: each call is whole.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from irsan.errors import OutputError, UsageError
from irsan.explore.schedules import Ending, Played, Schedule, Shares, Watched
from irsan.reports.formats.json_report import json_to_report, report_to_json
from irsan.reports.model.report import Finding, Report, SuppressionUse

_VERSION: Final = 1
_KEEP_S: Final = 0.5  # between two transactions
_SCHEMA: Final = """
CREATE TABLE campaign (version INTEGER NOT NULL, settings TEXT NOT NULL);
CREATE TABLE programs (
    id INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    hash TEXT NOT NULL,
    problem TEXT NOT NULL DEFAULT '',
    UNIQUE (command, hash)
);
CREATE TABLE schedules (
    program INTEGER NOT NULL REFERENCES programs (id),
    number INTEGER NOT NULL,
    strategy TEXT NOT NULL,
    token TEXT NOT NULL,
    ending TEXT NOT NULL,
    status INTEGER NOT NULL,
    is_bad INTEGER NOT NULL,
    fails_with INTEGER NOT NULL,
    digest TEXT NOT NULL,
    output BLOB,
    interleaving TEXT,
    steps INTEGER NOT NULL,
    run_s REAL NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (program, number)
) WITHOUT ROWID;
CREATE TABLE findings (
    program INTEGER NOT NULL REFERENCES programs (id),
    key TEXT NOT NULL,
    number INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    report TEXT NOT NULL,
    PRIMARY KEY (program, key)
) WITHOUT ROWID;
CREATE INDEX findings_by_fingerprint ON findings (fingerprint);
"""


class CampaignStore:
    """The file of a campaign. Use as a context manager, or call `close`.

    Raises UsageError for a file that is no campaign's, or is that of another one; OutputError when
    it cannot be written.
    """

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        """settings: what decides the schedules of a number."""
        self._path, self._lock = path, threading.RLock()
        self._written_s = time.monotonic()
        try:
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._open(json.dumps(settings, sort_keys=True))
        except sqlite3.DatabaseError as error:
            raise _unusable(path, error) from None

    def __enter__(self) -> CampaignStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """Write what is left and close the file."""
        self.flush()
        self._file.close()

    def flush(self) -> None:
        """What was kept so far outlives this process."""
        with self._lock:
            if self._file.in_transaction:
                self._file.execute("COMMIT")
            self._written_s = time.monotonic()

    def program(self, command: str, program_hash: str) -> int:
        """The number of a program; one that has changed is another one."""
        with self._lock:
            self._file.execute(
                "INSERT OR IGNORE INTO programs (command, hash) VALUES (?, ?)",
                (command, program_hash),
            )
            row = self._file.execute(
                "SELECT id FROM programs WHERE command = ? AND hash = ?", (command, program_hash)
            ).fetchone()
            return int(row[0])

    def set_problem(self, program: int, problem: str) -> None:
        """Say why a program could not be played; "" for one that could."""
        with self._lock:
            self._file.execute("UPDATE programs SET problem = ? WHERE id = ?", (problem, program))

    def keep(
        self, program: int, schedule: Schedule, strategy: str, token: str, one: Played
    ) -> None:
        """Keep what came of the next schedule of a program."""
        with self._lock:
            if not self._file.in_transaction:
                self._file.execute("BEGIN")
            self._file.execute(
                "INSERT INTO schedules VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    program, schedule.index, strategy, token, one.ending.words, one.ending.status,
                    one.ending.is_bad, one.fails_with, one.digest, one.output,
                    None if one.interleaving is None else f"{one.interleaving:016x}",
                    one.steps, one.run_s, _facts_text(one),
                ),
            )  # fmt: skip
            self._file.executemany(
                "INSERT OR IGNORE INTO findings VALUES (?, ?, ?, ?, ?)",
                [
                    (program, key, schedule.index, finding.id, _finding_text(finding))
                    for key, finding in one.findings
                ],
            )
            if time.monotonic() - self._written_s >= _KEEP_S:
                self.flush()

    def played(self, program: int) -> list[Played]:
        """What came of the schedules so far, by number; findings with their first schedule."""
        with self._lock:
            first: dict[int, list[tuple[str, Finding]]] = {}
            for key, number, text in self._file.execute(
                "SELECT key, number, report FROM findings WHERE program = ?", (program,)
            ):
                first.setdefault(number, []).append((key, json_to_report(text).findings[0]))
            return [_played(row, first) for row in self._rows(program)]

    def _rows(self, program: int) -> Iterator[Any]:
        return self._file.execute(
            "SELECT number, ending, status, is_bad, fails_with, digest, output, interleaving, "
            "steps, run_s, facts FROM schedules WHERE program = ? ORDER BY number",
            (program,),
        )

    def _open(self, settings: str) -> None:
        tables = {name for (name,) in self._file.execute("SELECT name FROM sqlite_master")}
        if not tables:
            self._file.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
            self._file.execute("INSERT INTO campaign VALUES (?, ?)", (_VERSION, settings))
            return
        if "campaign" not in tables:
            raise UsageError(f"{self._path}: is a database, but no campaign of irsan")
        version, known = self._file.execute("SELECT version, settings FROM campaign").fetchone()
        if version != _VERSION:
            raise UsageError(f"{self._path}: was written by another version of irsan")
        if known != settings:
            changed = _changed(json.loads(known), json.loads(settings))
            raise UsageError(
                f"{self._path}: was begun with other settings ({changed}); give the same ones, or "
                "name another file"
            )


def _changed(before: dict[str, Any], now: dict[str, Any]) -> str:
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    return ", ".join(f"{name}: {before.get(name)} then, {now.get(name)} now" for name in names)


def _facts_text(one: Played) -> str:
    shares = one.shares
    facts = {
        "found": one.found,
        "racing": one.racing,
        "reads": one.reads,
        "suppressed": [[u.tool, u.type, u.template, u.count] for u in one.suppressed],
        "shares": shares and {
            "everywhere": shares.everywhere,
            "objects": [[each.sites, each.shares] for each in shares.objects],
        },
    }
    return json.dumps({name: value for name, value in facts.items() if value})


def _played(row: Any, first: dict[int, list[tuple[str, Finding]]]) -> Played:
    number, ending, status, is_bad, fails_with, *rest = row
    digest, output, interleaving, steps, run_s, text = rest
    facts = json.loads(text)
    shares = facts.get("shares")
    found = tuple(facts.get("found", ()))
    return Played(
        number,
        Ending(ending, status, bool(is_bad)),
        digest,
        output,
        None if interleaving is None else int(interleaving, 16),
        steps,
        found,
        fails_with,
        tuple(sorted(first.get(number, ()), key=lambda pair: found.index(pair[0]))),
        tuple(SuppressionUse(*use) for use in facts.get("suppressed", ())),
        tuple((one, other) for one, other in facts.get("racing", ())),
        _shares(shares) if shares else None,
        tuple((write, read) for write, read in facts.get("reads", ())),
        run_s=run_s,
    )


def _shares(given: dict[str, Any]) -> Shares:
    objects = (Watched(tuple(sites), tuple(shares)) for sites, shares in given["objects"])
    return Shares(tuple(given["everywhere"]), tuple(objects))


def _finding_text(finding: Finding) -> str:
    return report_to_json(Report("", findings=(finding,)))


def _unusable(path: Path, error: sqlite3.DatabaseError) -> UsageError | OutputError:
    if isinstance(error, sqlite3.OperationalError):
        return OutputError(f"the campaign {path} cannot be written: {error}")
    return UsageError(f"{path}: is no campaign of irsan: {error}")
