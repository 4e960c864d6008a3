"""Puts the built runtime into the wheel, so that the first run after `pip install` takes seconds.

The build needs numba and irsan's other requirements where the wheel is made: `./dev wheel` has
them. Where they are missing, as in pip's isolated builds, the wheel comes without, says so, and the
first run builds the runtime.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_NEEDED = ("numba", "llvmlite", "typer", "numpy")
_TAG = "py3-none-manylinux_2_28_x86_64"


class RuntimeHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds irsan/built to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """version: `standard`, or `editable` for a checkout, which builds at its first run."""
        if version == "editable":
            return
        missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            self.app.display_warning(
                f"the wheel comes without the built runtime: no {', '.join(missing)} here; "
                "./dev wheel makes a whole one"
            )
            return
        self._folder = tempfile.TemporaryDirectory(prefix="irsan-wheel-")
        folder = Path(self._folder.name)
        subprocess.run(
            [sys.executable, "-m", "irsan.engine.commands.package_runtime", str(folder)],
            cwd=self.root, env={**os.environ, "PYTHONPATH": self.root}, check=True,
        )  # fmt: skip
        for path in folder.iterdir():
            build_data["force_include"][str(path)] = f"irsan/built/{path.name}"
        build_data["tag"] = _TAG

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The files are in the wheel."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
