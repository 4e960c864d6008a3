"""All rules for intrinsics of x86 that processor_names.py gives by pattern."""

from __future__ import annotations

from typing import Final

from irsan.instrument.uninitialised.ciphers import CIPHER_RULES
from irsan.instrument.uninitialised.masked_lanes import LANE_RULES
from irsan.instrument.uninitialised.moved_lanes import MOVED_RULES
from irsan.instrument.uninitialised.text_search import TEXT_RULES
from irsan.instrument.uninitialised.vector_intrinsics import Rule

PROCESSOR_RULES: Final[dict[str, Rule]] = {
    **LANE_RULES, **MOVED_RULES, **CIPHER_RULES, **TEXT_RULES,
}  # fmt: skip
