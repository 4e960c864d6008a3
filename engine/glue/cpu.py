"""Names and sizes of the variables that say what the processor can do: templates/program/cpu.ll."""

from __future__ import annotations

from typing import Final

NAMES: Final = ("__cpu_model", "__cpu_features2", "__cpu_indicator_init")
PREFIX: Final = "__interceptor_"
N_MORE_WORDS: Final = 7  # features 32 to 255
VARIABLE_BYTES: Final = {"__cpu_model": 16, "__cpu_features2": 32}
