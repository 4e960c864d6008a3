"""Words for the checked C++ library: hardening on, unless the user has chosen a mode."""

from __future__ import annotations

from irsan.engine.front_end.checked_words import checked_words


def test_the_strictest_mode_and_a_message_for_what_fails() -> None:
    words = checked_words()
    assert "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_DEBUG" in words
    assert any(word.endswith("_SEMANTIC_ENFORCE") for word in words)


def test_a_mode_of_the_user_stays() -> None:
    words = checked_words(["-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST"])
    assert not any("HARDENING_MODE" in word for word in words)
    assert any(word.endswith("_SEMANTIC_ENFORCE") for word in words)
