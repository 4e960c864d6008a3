"""XML as text: elements made by the standard library, laid out for people, one way for all formats.

Text must be printable already (`printable.py`): XML 1.0 has no way to write a control character.
"""

from __future__ import annotations

from xml.etree import ElementTree

Element = ElementTree.Element


def element(tag: str, *children: Element | str, **attributes: str) -> Element:
    """An element with children, or with one text."""
    made = ElementTree.Element(tag, {name.rstrip("_"): v for name, v in attributes.items()})
    for child in children:
        if isinstance(child, str):
            made.text = child
        else:
            made.append(child)
    return made


def document(root: Element) -> str:
    """The whole document, indented, final newline included."""
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
