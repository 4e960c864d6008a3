"""The progress bar of long reads: on a terminal only, never in CI or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def file_progress(path: Path, title: str) -> Iterator[Callable[[int], None]]:
    """A function that takes the number of bytes read so far and shows it on a terminal."""
    if not is_watched():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    size_bytes = path.stat().st_size if path.is_file() else None
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=size_bytes)
        yield lambda n_bytes: progress.update(task, completed=n_bytes)


def is_watched() -> bool:
    """Whether standard error is a terminal in front of a person."""
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"
