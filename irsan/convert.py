"""`irsan report convert`: a report in JSON becomes a report in another form."""

from __future__ import annotations

from pathlib import Path

from irsan.arguments import require_known
from irsan.errors import UsageError
from irsan.reports.renderers import renderer, renderer_names


def convert_report(path: Path, to: str) -> str:
    """The text of the report at `path` in the form `to`.

    Raises UsageError for an unknown form, or a file that cannot be read as a report.
    """
    from irsan.reports.json_report import ReportFormatError, json_to_report

    render = renderer(require_known(to, renderer_names(), "--to"))
    try:
        return render(json_to_report(path.read_text()))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except RecursionError:
        raise UsageError(f"{path}: nested too deeply to be a report") from None
    except (ReportFormatError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
