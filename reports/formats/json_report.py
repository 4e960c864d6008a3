"""Reports as JSON and back: the stable, versioned form `irsan-report/1`.

The shape follows from the model by the rules of `json_shape`; docs/report-schema.md explains each
field and schema/irsan-report-1.json checks it.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final, Literal, cast, get_args, get_origin

from irsan.errors import UsageError
from irsan.reports.formats.json_shape import (
    ID_FIELD,
    SCHEMA_FIELD,
    USER_FRAME_FIELD,
    extra_fields,
    field_hints,
    is_address,
    is_left_out,
    tagged_classes,
    type_tag,
    union_members,
)
from irsan.reports.model.report import SCHEMA, Report

_MAX_FLOAT: Final = 1e300
_MAX_SHOWN: Final = 200  # characters of a wrong value that a message shows


class ReportFormatError(UsageError):
    """A file is not an irsan report, or of another version; the message names the place."""


def report_to_json(report: Report) -> str:
    """The report as indented JSON text, final newline included."""
    return json.dumps(report_to_object(report), indent=2) + "\n"


def json_to_report(text: str) -> Report:
    """Read a report back. Raises ReportFormatError, naming the first wrong place."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ReportFormatError(f"not JSON: {error}") from None
    return object_to_report(value)


def object_to_report(value: Any) -> Report:
    """A report of dicts, lists, strings and numbers. Raises ReportFormatError as well."""
    version = value.get(SCHEMA_FIELD) if isinstance(value, dict) else None
    if version != SCHEMA:
        raise ReportFormatError(f"expected a report with schema {SCHEMA!r}, found {version!r}")
    return cast(Report, _decode(value, Report, "report"))


def report_to_object(report: Report) -> dict[str, Any]:
    """The report as dicts, lists, strings and numbers."""
    return _encode_dataclass(report)


# ------------------------------------------------------------------------------- to JSON


def _encode_dataclass(value: Any) -> dict[str, Any]:
    cls: Any = type(value)
    result: dict[str, Any] = {}
    if SCHEMA_FIELD in extra_fields(cls):
        result[SCHEMA_FIELD] = SCHEMA
    for name in (ID_FIELD, USER_FRAME_FIELD):
        if name in extra_fields(cls):
            result[name] = getattr(value, name)
    for field in fields(value):
        member = getattr(value, field.name)
        if member is None or is_left_out(cls, field, member):
            continue
        result[field.name] = _encode(member, field_hints(cls)[field.name])
    return result


def _encode(value: Any, hint: Any) -> Any:
    if is_address(hint):
        return f"{value:#014x}"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_encode(v, h) for v, h in zip(value, _item_hints(hint, len(value)), strict=True)]
    members = union_members(hint)
    if not is_dataclass(value):
        concrete = [m for m in members if m is not type(None)]
        return _encode(value, concrete[0]) if concrete else value
    tag = {"type": type_tag(value)} if len(tagged_classes(hint)) > 1 else {}
    return tag | _encode_dataclass(value)


def _item_hints(hint: Any, length: int) -> list[Any]:
    args = get_args(hint)
    return [args[0]] * length if args[-1] is Ellipsis else list(args)


# ----------------------------------------------------------------------------- from JSON


def _decode(value: Any, hint: Any, place: str) -> Any:
    if is_address(hint):
        return _decode_address(value, place)
    if is_dataclass(hint):
        return _decode_dataclass(value, cast(type, hint), place)
    if union_members(hint):
        return _decode_union(value, hint, place)
    origin = get_origin(hint)
    if origin is tuple:
        return _decode_tuple(value, hint, place)
    if origin is Literal:
        return _expect(value in get_args(hint), value, f"one of {get_args(hint)}", place)
    return _decode_scalar(value, hint, place)


def _decode_dataclass(value: Any, cls: type, place: str) -> Any:
    _expect(isinstance(value, dict), value, "an object", place)
    hints = field_hints(cls)
    unknown = set(value) - set(hints) - set(extra_fields(cls)) - {"type"}
    _expect(not unknown, sorted(unknown), "no such members", place)
    required = {f.name for f in fields(cls) if f.default is f.default_factory is MISSING}
    missing = required - set(value)
    _expect(not missing, None, f"members {sorted(missing)}", place)
    members = {n: _decode(value[n], h, f"{place}.{n}") for n, h in hints.items() if n in value}
    return cls(**members)


def _decode_union(value: Any, hint: Any, place: str) -> Any:
    members = [m for m in union_members(hint) if m is not type(None)]
    if value is None and len(members) < len(union_members(hint)):
        return None
    if len(members) == 1:
        return _decode(value, members[0], place)
    classes = tagged_classes(hint)
    tag = value.get("type") if isinstance(value, dict) else None
    _expect(tag in classes, tag, f"a type among {sorted(classes)}", place)
    return _decode_dataclass(value, classes[cast(str, tag)], place)


def _decode_tuple(value: Any, hint: Any, place: str) -> tuple[Any, ...]:
    _expect(isinstance(value, list), value, "an array", place)
    hints = _item_hints(hint, len(value))
    _expect(len(hints) == len(value), value, f"{len(hints)} items", place)
    pairs = zip(value, hints, strict=True)
    return tuple(_decode(v, h, f"{place}[{i}]") for i, (v, h) in enumerate(pairs))


def _decode_address(value: Any, place: str) -> int:
    _expect(isinstance(value, str) and value.startswith("0x"), value, "a hex string", place)
    return _number_from_hex(value[2:], value, place)


def _number_from_hex(digits: str, value: Any, place: str) -> int:
    try:
        return int(digits, 16)
    except ValueError:
        raise _wrong(value, "a hex string", place) from None


def _decode_scalar(value: Any, hint: Any, place: str) -> Any:
    if hint is bytes:
        _expect(isinstance(value, str), value, "hex digits", place)
        try:
            return bytes.fromhex(value)
        except ValueError:
            raise _wrong(value, "hex digits", place) from None
    if hint is float and type(value) in (int, float):
        _expect(abs(value) <= _MAX_FLOAT, value, "a finite number", place)
        return float(value)
    return _expect(type(value) is hint, value, f"a {hint.__name__}", place)


def _expect(condition: bool, value: Any, wanted: str, place: str) -> Any:
    if not condition:
        raise _wrong(value, wanted, place)
    return value


def _wrong(value: Any, wanted: str, place: str) -> ReportFormatError:
    shown = repr(value)
    cut = f"{shown[:_MAX_SHOWN]}..." if len(shown) > _MAX_SHOWN else shown
    return ReportFormatError(f"{place[:_MAX_SHOWN]}: expected {wanted}, found {cut}")
