"""The JSON Schema (2020-12) of a report, derived from the model so that the two cannot part.

`python -m irsan.reports.formats.json_schema` rewrites schema/irsan-report-1.json; a test compares
them.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from irsan.reports.formats.json_shape import (
    ID_FIELD,
    SCHEMA_FIELD,
    SPARSE,
    USER_FRAME_FIELD,
    extra_fields,
    field_hints,
    is_address,
    tagged_classes,
    union_members,
)
from irsan.reports.model.report import SCHEMA, Report

SCHEMA_PATH = Path(__file__).parent.parent / "schema" / "irsan-report-1.json"
_SCALARS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bytes: {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
}
_EXTRA_SCHEMAS: dict[str, dict[str, Any]] = {
    ID_FIELD: {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    SCHEMA_FIELD: {"const": SCHEMA},
    USER_FRAME_FIELD: {"type": "integer", "minimum": -1},
}


def build_schema() -> dict[str, Any]:
    """The whole schema as a dict."""
    definitions: dict[str, Any] = {
        "Address": {"type": "string", "pattern": "^0x[0-9a-f]{12,16}$"},
    }
    _define(Report, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:irsan:report:1",
        "title": "A run of irsan and what it found",
        "$ref": "#/$defs/Report",
        "$defs": dict(sorted(definitions.items())),
    }


def schema_text() -> str:
    """The schema as the text of its file."""
    return json.dumps(build_schema(), indent=2) + "\n"


def _define(cls: type, definitions: dict[str, Any], tag: str = "") -> dict[str, Any]:
    """Reference to the definition of a dataclass, made on first use."""
    if cls.__name__ not in definitions:
        definitions[cls.__name__] = {}  # a mark, should a class ever contain itself
        definitions[cls.__name__] = _object(cls, definitions, tag)
    return {"$ref": f"#/$defs/{cls.__name__}"}


def _object(cls: type, definitions: dict[str, Any], tag: str) -> dict[str, Any]:
    properties = {name: _EXTRA_SCHEMAS[name] for name in extra_fields(cls)}
    properties |= {"type": {"const": tag}} if tag else {}
    required = list(properties)
    for field in fields(cls):
        hint = field_hints(cls)[field.name]
        properties[field.name] = _schema_of(hint, definitions)
        if _is_always_written(cls, field.name, hint):
            required.append(field.name)
    return {
        "description": (cls.__doc__ or "").strip().partition("\n")[0],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _is_always_written(cls: type, name: str, hint: Any) -> bool:
    if cls in SPARSE:
        return name in SPARSE[cls]
    return type(None) not in union_members(hint)


def _schema_of(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if is_address(hint):
        return {"$ref": "#/$defs/Address"}
    if is_dataclass(hint):
        return _define(hint, definitions)  # type: ignore[arg-type]
    if union_members(hint):
        return _union(hint, definitions)
    origin = get_origin(hint)
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin is tuple:
        return _array(hint, definitions)
    return _SCALARS[hint]


def _union(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    members = [m for m in union_members(hint) if m is not type(None)]
    if len(members) == 1:
        return _schema_of(members[0], definitions)
    classes = tagged_classes(hint)
    return {"oneOf": [_define(cls, definitions, tag) for tag, cls in classes.items()]}


def _array(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    args = get_args(hint)
    if args[-1] is Ellipsis:
        return {"type": "array", "items": _schema_of(args[0], definitions)}
    items = [_schema_of(arg, definitions) for arg in args]
    return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}


if __name__ == "__main__":
    SCHEMA_PATH.write_text(schema_text())
