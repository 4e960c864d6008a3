"""Places of locations: the file beside a trace, and what reports make of it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from irsan.__main__ import main
from irsan.errors import UsageError
from irsan.traces.report import SCHEMA_PATH
from irsan.traces.site_names import SiteName, places_of, read_sites, sites_path, write_sites

RACY = "T1|w(x)|5\nT2|w(x)|17\nT1|w(x)|90\n"
NAMES = {5: SiteName("a.c:1:2", "f"), 17: SiteName("/x y/b.c:30:4", "ns::g(int)")}


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "t.std"
    path.write_text(RACY)
    return path


def test_names_come_back(tmp_path: Path) -> None:
    path = tmp_path / "t.sites"
    write_sites(path, {**NAMES, 90: SiteName("a|b\n.c:1:1", "operator|")})
    assert read_sites(path) == {
        **{str(number): name for number, name in NAMES.items()},
        "90": SiteName("a?b?.c:1:1", "operator?"),
    }


@pytest.mark.parametrize("line", ["", "5|a.c:1:2", "x|a.c:1:2|f", "5|a.c|f|g"])
def test_another_file_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "t.sites"
    path.write_text(f"5|a.c:1:2|f\n{line}\n")
    with pytest.raises(UsageError, match=r"t\.sites:2: not number\|file:line:column\|function"):
        read_sites(path)


def test_a_trace_needs_no_places_unless_they_are_named(trace: Path, tmp_path: Path) -> None:
    assert places_of(trace, None) == {}
    with pytest.raises(UsageError, match="No such file"):
        places_of(trace, tmp_path / "none")


def test_the_file_beside_the_trace_is_found(
    trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sites(sites_path(trace), NAMES)
    assert main(["trace", "analyze", str(trace)]) == 66
    text = capsys.readouterr().out
    assert "location 17: event 2 in ns::g(int) /x y/b.c:30:4\n" in text
    assert "location 90: event 3\n" in text


def test_json_names_racy_locations_only(
    trace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sites = tmp_path / "elsewhere"
    write_sites(sites, NAMES)
    main(["trace", "analyze", str(trace), "--sites", str(sites), "--report-format", "json"])
    found = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads(SCHEMA_PATH.read_text())).validate(found)
    assert found["places"] == {"17": {"place": "/x y/b.c:30:4", "function": "ns::g(int)"}}
