"""The classes of records name the fields of their numpy types, in order and width."""

from __future__ import annotations

from typing import Any, get_args, get_origin, get_type_hints

import pytest

from irsan.runtime.kernels.record_types import LAYOUTS
from irsan.runtime.kernels.scalars import Vector


@pytest.mark.parametrize("record", LAYOUTS, ids=lambda record: record.__name__)
def test_a_class_has_the_fields_of_its_layout(record: type) -> None:
    layout = LAYOUTS[record]
    wanted = {name: layout.fields[name][0] for name in layout.names}
    hints: dict[str, Any] = get_type_hints(record)
    assert list(hints) == list(wanted)
    for name, kind in wanted.items():
        if kind.names:
            assert LAYOUTS[hints[name]] == kind, name
            continue
        is_array = get_origin(hints[name]) is Vector
        assert is_array == bool(kind.shape), name
        number = get_args(hints[name])[0] if is_array else hints[name]
        assert number == kind.base.type, name
