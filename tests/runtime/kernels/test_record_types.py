"""The classes of records name the fields of their numpy types, in order and width."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from irsan.runtime.kernels.record import Placed, Record
from irsan.runtime.kernels.scalars import Vector

ROOT = Path(__file__).parents[3]


def records() -> list[type[Record]]:
    """Every class of a record: they are in files that end with _types.py."""
    for folder in ("runtime/kernels", "interceptors"):
        for path in sorted((ROOT / folder).rglob("*_types.py")):
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            importlib.import_module(f"irsan.{module}")
    known = [*Record.__subclasses__(), *Placed.__subclasses__()]
    return [kind for kind in known if kind.__module__.startswith("irsan.") and kind is not Placed]


@pytest.mark.parametrize("record", records(), ids=lambda record: record.__name__)
def test_a_class_has_the_fields_of_its_layout(record: type[Record]) -> None:
    layout: Any = record.layout
    wanted = {name: layout.fields[name][0] for name in layout.names}
    hints: dict[str, Any] = get_type_hints(record)
    del hints["layout"]
    assert list(hints) == list(wanted)
    for name, kind in wanted.items():
        if kind.names:
            assert hints[name].layout == kind, name
            continue
        if kind.kind == "S":
            assert hints[name] is bytes
            continue
        is_array = get_origin(hints[name]) is Vector
        assert is_array == bool(kind.shape), name
        number = get_args(hints[name])[0] if is_array else hints[name]
        assert number == kind.base.type, name


def test_records_have_names_of_their_own_and_are_declared_where_they_are_looked_for() -> None:
    known = records()
    assert len({kind.__name__ for kind in known}) == len(known) > 30
    assert all(kind.__module__.endswith("_types") for kind in known)
