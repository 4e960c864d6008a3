"""Static libraries made by hand, as GNU ar writes them."""

from __future__ import annotations


def member_header(name: str, size: int) -> bytes:
    return f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{size:<10}`\n".encode()


def archive_bytes(members: dict[str, bytes], symbols: dict[str, str] | None) -> bytes:
    """A GNU archive; `symbols`: name -> member, None for an archive without index."""
    long_names = "".join(f"{name}/\n" for name in members if len(name) > 15).encode()
    parts: list[bytes] = []
    index_size = 0
    if symbols is not None:
        index_size = 4 + 4 * len(symbols) + sum(len(name) + 1 for name in symbols)
    at = 8 + (60 + index_size + index_size % 2 if symbols is not None else 0)
    if long_names:
        head = member_header("//", len(long_names))
        parts.append(head + long_names + b"\n" * (len(long_names) % 2))
        at += len(parts[0])
    offsets: dict[str, int] = {}
    for name, raw in members.items():
        label = f"/{long_names.index(name.encode())}" if len(name) > 15 else f"{name}/"
        offsets[name] = at
        parts.append(member_header(label, len(raw)) + raw + b"\n" * (len(raw) % 2))
        at += len(parts[-1])
    index = b""
    if symbols is not None:
        index = len(symbols).to_bytes(4, "big")
        index += b"".join(offsets[member].to_bytes(4, "big") for member in symbols.values())
        index += b"".join(name.encode() + b"\0" for name in symbols)
        index = member_header("/", len(index)) + index + b"\n" * (len(index) % 2)
    return b"!<arch>\n" + index + b"".join(parts)
