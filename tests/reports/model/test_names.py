"""Names: demangled, shortened, and without what surrounds the name itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.model.names import demangled, qualified_name, shortened

DEEP = (
    "void std::__1::sort[abi:nie220108]<std::__1::vector<std::unique_ptr<Session,"
    " std::default_delete<Session> > >::iterator>(int)"
)
SHORT = {
    DEEP: "void std::__1::sort<std::__1::vector<...>::iterator>(int)",
    "a<b<c>, d>::e()": "a<b<c>, d>::e()",
    "a<first, second<of, many, arguments, which, are, wide, enough>, third>":
        "a<first, second<of, many, ...>, third>",
    "a<an_argument_that_is_too_wide_for_all_that_we_may_ever_show>": "a<...>",
    "bool std::operator< <char>(int)": "bool std::operator< <char>(int)",
    "x::operator->() const": "x::operator->() const",
    "operator<=><a, b>(c<d>)": "operator<=><a, b>(c<d>)",
    "f<(x)1>(int)": "f<(x)1>(int)",
    "f<broken": "f<broken",
    "f>broken": "f>broken",
}
QUALIFIED = {
    DEEP: "std::__1::sort[abi:nie220108]",
    "std::ostream& operator<< <std::char_traits<char> >(std::ostream&)": "operator<<",
    "(anonymous namespace)::f<int>::g(int)": "anonymous::f::g",
    "std::function<void (int)>::operator()(int) const": "std::function::operator()",
    "main::{lambda(int)#1}::operator()(int) const": "main::::operator()",
    "operator new(unsigned long)": "operator new",
    "B::operator bool() const": "B::operator bool",
    "<mycrate::Foo as core::fmt::Debug>::fmt": "mycrate::Foo",
    "main": "main",
}
# Names that old C++ libraries cannot read: constraints of template parameters.
TOO_NEW = {
    "_ZNSt3__111make_uniqueB9nie220108I7SessionJS1_ETnNS_9enable_ifIXntsr8is_arrayIT_EE5valueEi"
    "E4typeELi0EEENS_10unique_ptrIS3_NS_14default_deleteIS3_EEEEDpOT0_":
        "std::__1::make_unique<",
    "_Z3barITnivEvv": "bar",
}  # fmt: skip


@pytest.mark.parametrize(("name", "short"), SHORT.items())
def test_wide_template_arguments_are_cut(name: str, short: str) -> None:
    assert shortened(name, 40) == short
    assert shortened(name, 0) == name


@pytest.mark.parametrize(("name", "plain"), QUALIFIED.items())
def test_the_name_alone(name: str, plain: str) -> None:
    assert qualified_name(name) == plain


@pytest.mark.parametrize(("symbol", "beginning"), TOO_NEW.items())
def test_of_names_that_are_too_new_the_beginning_is_read(symbol: str, beginning: str) -> None:
    assert demangled(symbol).startswith(beginning)


def test_rust_names_are_read() -> None:
    assert demangled("_RNvC1a4main") == "a::main"
    assert demangled("_ZN1a4main17h0123456789abcdefE") == "a::main"


@given(st.text("ab:<>(),-o rpet{}[]", max_size=60), st.integers(1, 40))
def test_no_name_is_too_wild(name: str, width: int) -> None:
    qualified_name(name)
    assert len(shortened(name, width)) <= max(len(name), 1) * 2


@given(st.integers(0, 3000))
def test_depth_has_no_end(depth: int) -> None:
    name = "a<" * depth + "b" + ">" * depth
    assert shortened(name, 10).startswith("a<" if depth else "b")
