"""When a use of an uninitialised value ends the program."""

from __future__ import annotations

from irsan.runtime.flags.flags import Flags


def halts_on_error(flags: Flags) -> bool:
    """Whether the first use ends the program."""
    view = flags.tool("msan")
    return view.get_bool("halt_on_error") and not view.get_bool("keep_going")
