"""Places of a loop in hulls: each place lies in its hull, in every turn."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from irsan.instrument.analysis.control_flow.linear_forms import Form
from irsan.instrument.loops.address_hulls import Place, hulls_of
from irsan.ir.constants import ConstantInt
from irsan.ir.types import TypeContext

POINTERS = [ConstantInt(TypeContext().i64, number) for number in range(20)]
SPOTS = st.lists(
    st.tuples(
        st.sampled_from("ab"), st.sampled_from((-8, 4, 8)), st.integers(-40, 40), st.integers(1, 16)
    ),
    max_size=len(POINTERS),
)


@given(SPOTS)
def test_each_place_lies_in_the_hull_of_its_group(
    spots: list[tuple[str, int, int, int]]
) -> None:
    places = [
        Place(number, POINTERS[number], Form((((base, ""), 1),), constant), stride, size)  # type: ignore[arg-type]
        for number, (base, stride, constant, size) in enumerate(spots)
    ]
    hulls = hulls_of(places)
    assert sorted(place.key for _, group in hulls for place in group) == list(range(len(places)))  # type: ignore[type-var]
    for hull, group in hulls:
        first = next(place for place in places if place.pointer is hull.pointer)
        assert {(place.form.terms, place.stride) for place in group} == {
            (first.form.terms, hull.stride)
        }
        ends = [(place.form.constant, place.end) for place in group]
        assert min(lo for lo, _ in ends) == first.form.constant
        assert max(hi for _, hi in ends) == first.form.constant + hull.span
