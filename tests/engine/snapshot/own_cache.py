"""A cache of a test's own, with the built runtime of the common one, and programs built into it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import irsan
from irsan.cachedir import cache_base
from irsan.engine.cache import open_cache
from irsan.engine.runtime_image.stored import load_or_build_runtime
from irsan.engine.snapshot.kept import is_current, why_not


class OwnCache:
    """Programs that are built and started with a cache in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        load_or_build_runtime(open_cache(), lambda _: None)
        common = cache_base(os.environ)
        assert common is not None
        version = irsan.__version__
        for name in ("runtime", "toolchain", "sources"):
            if (common / version / name).is_dir():
                shutil.copytree(common / version / name, self.cache / version / name)
        for path in (self.cache, self.cache / version):
            path.chmod(0o700)

    @property
    def environment(self) -> dict[str, str]:
        """The test's, with this cache."""
        off = ("IRSAN_SNAPSHOT", "IRSAN_HOST", "LD_LIBRARY_PATH", "LC_ALL")
        kept = {name: value for name, value in os.environ.items() if name not in off}
        return {**kept, "IRSAN_CACHE_DIR": str(self.cache)}

    @property
    def restorer(self) -> Path:
        """irsan-cc's own part that goes on from the snapshot."""
        (found,) = (self.cache / irsan.__version__ / "tools").glob("builds-*/restore")
        return found

    def build(self, *words: str) -> None:
        """Run irsan-cc."""
        code = "import sys; from irsan.compiler_wrapper import main_c; sys.exit(main_c())"
        subprocess.run(
            [sys.executable, "-c", code, *words], cwd=self.folder, env=self.environment, check=True
        )

    def start(self, command: str, **more: str) -> tuple[int, str, str]:
        """Status, standard output and error of a shell command in the folder."""
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env={**self.environment, **more},
            capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
        )  # fmt: skip
        out, error = (raw.decode(errors="surrogateescape") for raw in (done.stdout, done.stderr))
        return done.returncode, out, error


def own_cache(folder: Path) -> OwnCache:
    """A cache with a snapshot; skips the test where none can be taken."""
    found = OwnCache(folder)
    (folder / "facts.c").write_text(Path(__file__).with_name("facts.c").read_text())
    found.build("facts.c", "-o", "facts")
    if not is_current(found.restorer):
        pytest.skip(f"no snapshot here: {why_not(found.restorer.parent)}")
    return found
