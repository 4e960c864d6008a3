"""Random values of any model class, drawn from its annotations."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from hypothesis import strategies as st

from irsan.reports.formats.json_shape import field_hints, is_address, union_members

_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=8),
    int: st.integers(-(2**63), 2**63),
    bool: st.booleans(),
    float: st.floats(0, 1e6),
    bytes: st.binary(max_size=16),
}


def values(hint: Any, text: st.SearchStrategy[str] = _SCALARS[str]) -> st.SearchStrategy[Any]:
    """Strategy for an annotation; `text` is that of all strings."""
    if is_address(hint):
        return st.integers(0, 2**64 - 1)
    if union_members(hint):
        members = [m for m in union_members(hint) if m is not type(None)]
        choices = [values(m, text) for m in members]
        none = [st.none()] if len(members) < len(union_members(hint)) else []
        return st.one_of(*none, *choices)
    origin = get_origin(hint)
    if origin is Literal:
        return st.sampled_from(get_args(hint))
    if origin is tuple:
        args = get_args(hint)
        if args[-1] is Ellipsis:
            return st.lists(values(args[0], text), max_size=2).map(tuple)
        return st.tuples(*(values(each, text) for each in args))
    if hint is str:
        return text
    if hint in _SCALARS:
        return _SCALARS[hint]
    return st.builds(hint, **{name: values(h, text) for name, h in field_hints(hint).items()})
