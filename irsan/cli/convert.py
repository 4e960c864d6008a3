"""`irsan report convert`: a report in JSON becomes a report in another form."""

from __future__ import annotations

from pathlib import Path

from irsan.arguments import require_known
from irsan.reports.renderers import renderer, renderer_names
from irsan.reports.sets.report_files import read_report


def convert_report(path: Path, to: str) -> str:
    """The text of the report at `path` in the form `to`.

    Raises UsageError for an unknown form, or a file that cannot be read as a report.
    """
    render = renderer(require_known(to, renderer_names(), "--to"))
    return render(read_report(path))
