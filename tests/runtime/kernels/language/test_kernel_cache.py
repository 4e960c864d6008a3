"""Where kernels are kept: the folder's name tells sources apart, in a checkout and installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import irsan
from irsan.errors import InternalError
from irsan.runtime.kernels.language.kernel_cache import import_closure, kernel_folder

MODULE = "irsan.runtime.kernels.heap.heap"
ASK = f"""
from irsan.runtime.kernels.language.kernel_cache import kernel_folder
print(kernel_folder({MODULE!r}).name)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of the package as an installer lays it out: folders, no links."""
    package = tmp_path / "site-packages" / "irsan"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(irsan.__file__).parent, package, ignore=ignored)
    return package


def folder_name(package: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    return subprocess.run(
        [sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True,
        cwd=package.parent,
    ).stdout.strip()  # fmt: skip


def test_an_installed_package_has_the_folders_of_its_checkout(installed: Path) -> None:
    assert folder_name(installed) == kernel_folder(MODULE).name


def test_a_change_far_away_is_another_folder(installed: Path) -> None:
    before = folder_name(installed)
    records = installed / "runtime/records/subsystems.py"
    records.write_text(records.read_text() + "# changed\n")
    assert folder_name(installed) != before


def test_what_a_kernel_is_made_from_is_followed() -> None:
    closure = import_closure(MODULE)
    assert {"irsan.runtime.records.subsystems", "irsan.runtime.layout.memory_map"} <= closure


def test_a_module_without_a_source_has_no_folder() -> None:
    with pytest.raises(InternalError, match=r"source of irsan\.none is not found"):
        kernel_folder("irsan.none")
