"""The compiler's words for checks of undefined behaviour, after the user's."""

from __future__ import annotations

from irsan.engine.front_end.undefined_flags import DEFAULT_CHECKS, other_words, undefined_words

NEWEST = 22


def checks(*cflags: str, opt_level: int = 1) -> set[str]:
    words = undefined_words(cflags, opt_level, NEWEST)
    return set(words[1].partition("=")[2].split(",")) if words else set()


def recovering(*cflags: str) -> set[str]:
    words = undefined_words(cflags, 1, NEWEST)
    return set(words[3].partition("=")[2].split(",")) if len(words) > 2 else set()


def test_the_default_is_clangs_group_and_nullability() -> None:
    assert checks() == DEFAULT_CHECKS
    assert DEFAULT_CHECKS - recovering() == {"return", "unreachable"}


def test_without_the_optimiser_objects_have_no_known_size() -> None:
    assert DEFAULT_CHECKS - checks(opt_level=0) == {"object-size"}
    assert DEFAULT_CHECKS - checks("-fno-rtti") == {"vptr"}


def test_the_user_adds_and_leaves_out() -> None:
    assert checks("-fno-sanitize=shift,null") == DEFAULT_CHECKS - {
        "shift-base", "shift-exponent", "null",
    }  # fmt: skip
    assert checks("-fno-sanitize=all", "-fsanitize=vla-bound") == {"vla-bound"}
    assert "unsigned-integer-overflow" in checks("-fsanitize=integer")
    assert undefined_words(["-fno-sanitize=undefined,nullability"], 1, NEWEST) == ()


def test_what_ends_the_program_is_for_the_user_to_say() -> None:
    assert "bool" not in recovering("-fno-sanitize-recover=bool")
    assert recovering("-fno-sanitize-recover") == set()
    assert "enum" in recovering("-fno-sanitize-recover", "-fsanitize-recover=enum,return")
    assert "return" not in recovering("-fsanitize-recover=all")


def test_other_words_go_on_to_the_compiler() -> None:
    cflags = ["-Wall", "-fsanitize=undefined", "-fsanitize=fuzzer,null", "-fno-sanitize-recover"]
    assert list(other_words(cflags)) == ["-Wall", "-fsanitize=fuzzer"]


def test_an_older_clang_is_not_asked_for_what_it_does_not_know() -> None:
    bitfield = "implicit-bitfield-conversion"
    assert bitfield in checks("-fsanitize=implicit-conversion")
    words = undefined_words(["-fsanitize=implicit-conversion"], 1, 18)
    assert "implicit-integer-sign-change" in words[1]
    assert bitfield not in words[1]
