"""The grammar of option strings once more, one character at a time."""

from __future__ import annotations

SEPARATORS = ":, \t\n\r"


def naive_split_flags(text: str) -> tuple[list[tuple[str, str]], bool]:
    """(name, value) pairs up to the first fault, and whether the whole text was read."""
    flags: list[tuple[str, str]] = []
    i = 0
    while True:
        while i < len(text) and text[i] in SEPARATORS:
            i += 1
        if i == len(text):
            return flags, True
        name = ""
        while i < len(text) and text[i] != "=" and text[i] not in SEPARATORS:
            name += text[i]
            i += 1
        if not name or i == len(text) or text[i] != "=":
            return flags, False
        i += 1
        value = ""
        if i < len(text) and text[i] in "'\"":
            quote = text[i]
            i += 1
            while i < len(text) and text[i] != quote:
                value += text[i]
                i += 1
            if i == len(text):
                return flags, False
            i += 1
            if i < len(text) and text[i] not in SEPARATORS:
                return flags, False
        else:
            while i < len(text) and text[i] not in SEPARATORS:
                value += text[i]
                i += 1
            while value and text[i : i + 1] == ",":
                end = i + 1
                while end < len(text) and text[end] not in SEPARATORS:
                    end += 1
                word = text[i + 1 : end]
                if not word or "=" in word:
                    break
                value += "," + word
                i = end
        flags.append((name, value))
