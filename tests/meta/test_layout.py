"""The layout: rooms linked into irsan/, and nothing lost from the sdist or the wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.meta.house import ROOMS, ROOT, source_files


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_is_a_relative_link(room: str) -> None:
    link = ROOT / "irsan" / room
    assert link.is_symlink()
    assert str(link.readlink()) == f"../{room}"


def test_git_keeps_the_links_as_links() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "--stage", *(f"irsan/{room}" for room in ROOMS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    modes = [line.split()[0] for line in listed.stdout.splitlines()]
    assert modes == ["120000"] * len(ROOMS)


def test_modules_import_under_irsan() -> None:
    import irsan.engine
    import irsan.ir

    for module in (irsan.engine, irsan.ir):
        assert module.__name__.startswith("irsan.")


def build(kind: str, folder: Path, into: Path) -> Path:
    """Build one distribution from the sources in `folder`; returns the file."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)],
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1600000000"},
        capture_output=True,
        check=True,
    )
    (built,) = into.iterdir()
    return built


def shipped_files() -> set[str]:
    """What a wheel must hold: every module, and every other file git knows in the rooms."""
    modules = {path.relative_to(ROOT) for path in source_files()}
    others = {
        path.relative_to(ROOT)
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix in (".json", ".html", ".j2", ".txt", ".css", ".js")
    }
    return {
        str(path) if path.parts[0] == "irsan" else f"irsan/{path}" for path in modules | others
    } | {"irsan/py.typed"}


def test_the_wheel_made_from_the_sdist_is_complete(tmp_path: Path) -> None:
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    sdist = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        careful = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # Python 3.11.4
        archive.extractall(tmp_path / "unpacked", **careful)  # type: ignore[arg-type]
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    with zipfile.ZipFile(build("wheel", unpacked, tmp_path / "wheel")) as wheel:
        names = set(wheel.namelist())
    assert shipped_files() - names == set()
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {"LICENSE", "CHANGELOG.md", "README.md", "dev"} <= {
        path.name for path in unpacked.iterdir()
    }
