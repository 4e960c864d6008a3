"""Names of Rust functions: each rule of the published grammar, and names made at random."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irsan.reports.model.rust_names import is_rust, rust_name

PATHS = {
    "_RNvCs1234_7mycrate3foo": "mycrate::foo",
    "_RNvNtNtCs1234_7mycrate3foo3bar3baz": "mycrate::foo::bar::baz",
    "_RNvC6_123foo3bar": "123foo::bar",
    "_RNvCs1234_7mycrateu8gdel_5qa": "mycrate::g\u00f6del",
    "_RNvMNtCs1234_7mycrate3fooNtB2_3Bar3baz": "<mycrate::foo::Bar>::baz",
    "_RNvXs_Cs1_7mycrateNtB4_3FooNtNtC4core3fmt5Debug3fmt":
        "<mycrate::Foo as core::fmt::Debug>::fmt",
    "_RNvYNtC1a3FooNtC1b5Trait4call": "<a::Foo as b::Trait>::call",
    "_RINvNtC3std3mem8align_ofdE": "std::mem::align_of::<f64>",
    "_RNCNvCs1_7mycrate4main0B3_": "mycrate::main::{closure#0}",
    "_RNCNvC1a4mains0_0": "a::main::{closure#2}",
    "_RNSNvC1a4mains_6vtable": "a::main::{shim:vtable#1}",
    "_RNvC1a1b.llvm.123": "a::b",
}
TYPES = {
    "RL_e": "&str", "Qh": "&mut u8", "PNtC1a1B": "*const a::B", "Ou": "*mut ()",
    "Sh": "[u8]", "Ahj3_": "[u8; 3]", "TE": "()", "TiE": "(isize,)", "TilE": "(isize, i32)",
    "FEu": "fn()", "FhEz": "fn(u8) -> !", "FUKCmEu": 'unsafe extern "C" fn(u32)',
    "FK8fastcallEu": 'extern "fastcall" fn()', "FG_RL0_hEu": "for<'a> fn(&'a u8)",
    "DNtC1a1TEL_": "dyn a::T", "DNtC1a1Tp1IhNtC1b1SEL_": "dyn a::T<I = u8> + b::S",
    "DG_INtC1a1TL0_EEL_": "dyn for<'a> a::T<'a>", "INtC1v3VechE": "v::Vec<u8>",
    "p": "_", "v": "...", "o": "u128",
}  # fmt: skip
CONSTANTS = {
    "j7b_": "123", "an80_": "-128", "b1_": "true", "b0_": "false", "c76_": "'v'", "p": "_",
    "Re616263_": '"abc"', "TE": "()", "Ah1_h2_E": "[1, 2]", "Rh7_": "&7",
    "VNtC1a1BU": "a::B", "VNtC1a1BTh1_E": "a::B(1)", "VNtC1a1BS1xh1_E": "a::B { x: 1 }",
}  # fmt: skip
LEGACY = {
    "_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE": "core::fmt::Formatter::write_str",
    "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
    "17h930b740aa94f1d3aE": "<Test + 'static as foo::Bar<Test>>::bar",
    "_ZN3foo17h05af221e174051e9E.llvm.99": "foo",
}
NO_NAMES = ("_R", "_RNvB_3foo", "_RNvC1a9b", "_RNvC1a1bX", "_RIC1ah", "_ZN3foo3barEv", "main", "")


@pytest.mark.parametrize(("symbol", "name"), [*PATHS.items(), *LEGACY.items()])
def test_paths(symbol: str, name: str) -> None:
    assert rust_name(symbol) == name


@pytest.mark.parametrize(("code", "name"), TYPES.items())
def test_types(code: str, name: str) -> None:
    assert rust_name(f"_RINvC1a1b{code}E") == f"a::b::<{name}>"


@pytest.mark.parametrize(("code", "name"), CONSTANTS.items())
def test_constants(code: str, name: str) -> None:
    assert rust_name(f"_RINvC1a1bK{code}E") == f"a::b::<{name}>"


@pytest.mark.parametrize("symbol", NO_NAMES)
def test_what_is_no_rust_name(symbol: str) -> None:
    assert rust_name(symbol) is None and not is_rust(symbol)


def test_back_references_cannot_grow_without_end() -> None:
    bomb, at = "_RINvC1a1bTTuuE", 8
    for _ in range(40):
        bomb, at = f"{bomb}TB{_base62(at)}B{_base62(at)}E", len(bomb) - 2
    assert rust_name(bomb + "EE") is None
    assert rust_name("_RINvC1a1b" + "R" * 5000 + "hE") is None


def _base62(value: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if value == 0:
        return "_"
    value, text = value - 1, ""
    while value or not text:
        value, digit = divmod(value, 62)
        text = digits[digit] + text
    return f"{text}_"


# A name is made together with its mangled form: (mangled, shown).
Pair = tuple[str, str]
words = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
basic = st.sampled_from([("h", "u8"), ("l", "i32"), ("b", "bool"), ("e", "str"), ("u", "()")])


def ident(word: str) -> str:
    return f"{len(word)}{'_' if word[0] == '_' else ''}{word}"


@st.composite
def type_paths(draw: st.DrawFn) -> Pair:
    mangled, shown = f"C{ident(name := draw(words))}", name
    for word in draw(st.lists(words, max_size=3)):
        mangled, shown = f"Nt{mangled}{ident(word)}", f"{shown}::{word}"
    return mangled, shown


def larger(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    some = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        inner.map(lambda p: (f"R{p[0]}", f"&{p[1]}")),
        inner.map(lambda p: (f"O{p[0]}", f"*mut {p[1]}")),
        inner.map(lambda p: (f"S{p[0]}", f"[{p[1]}]")),
        some.map(lambda ps: (f"T{''.join(p[0] for p in ps)}E", f"({_listed(ps)})")),
        some.map(lambda ps: (
            f"F{''.join(p[0] for p in ps)}Eh", f"fn({_listed(ps)}) -> u8",
        )),
        st.tuples(type_paths(), some).map(lambda pair: (
            f"I{pair[0][0]}{''.join(p[0] for p in pair[1])}E", f"{pair[0][1]}<{_listed(pair[1])}>",
        )),
    )  # fmt: skip


def _listed(pairs: list[Pair]) -> str:
    return ", ".join(shown for _, shown in pairs)


types = st.recursive(st.one_of(basic, type_paths()), larger, max_leaves=8)


@given(type_paths(), words, types)
def test_names_made_at_random(path: Pair, function: str, argument: Pair) -> None:
    symbol = f"_RINv{path[0]}{ident(function)}{argument[0]}E"
    assert rust_name(symbol) == f"{path[1]}::{function}::<{argument[1]}>"


@given(st.text("RNvCIBKMXYEsu_0123456789abhjpzFDGLTAS", max_size=60))
def test_no_text_is_too_wild(text: str) -> None:
    rust_name(f"_R{text}")
    rust_name(f"_ZN{text}17h0123456789abcdefE")
