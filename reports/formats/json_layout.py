"""JSON laid out for people who read it or its differences: what fits a line stands on one."""

from __future__ import annotations

import json
from typing import Any, Final

WIDTH: Final = 110


def laid_out(value: Any, depth: int = 0) -> str:
    """JSON text of a value that starts `depth` blanks from the margin; no newline at its end."""
    text = json.dumps(value)
    if len(text) + depth <= WIDTH or not (value and isinstance(value, dict | list)):
        return text
    inner = " " * (depth + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {laid_out(v, depth + 1)}" for name, v in value.items()]
        opening, closing = "{}"
    else:
        parts = [laid_out(each, depth + 1) for each in value]
        opening, closing = "[]"
    lines = f",\n{inner}".join(parts)
    return f"{opening}\n{inner}{lines}\n{' ' * depth}{closing}"
