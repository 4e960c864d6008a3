"""Suppression templates once more: try every way to place every piece."""

from __future__ import annotations


def naive_template_matches(template: str, text: str) -> bool:
    """Whether `text` matches, by plain recursion over the template."""
    if not text:
        return False
    anchored = template.startswith("^")
    body = template[1:] if anchored else template
    starts = [0] if anchored else range(len(text) + 1)
    return any(_matches_here(body, text, start) for start in starts)


def _matches_here(body: str, text: str, at: int) -> bool:
    if body == "$":
        return at == len(text)
    if not body:
        return True
    if body[0] == "*":
        return any(_matches_here(body[1:], text, later) for later in range(at, len(text) + 1))
    return at < len(text) and text[at] == body[0] and _matches_here(body[1:], text, at + 1)
