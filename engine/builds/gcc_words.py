"""Words for gcc that clang refuses: left out, with a notice where something is lost by it.

    -fno-ipa-pta, -fconserve-stack      how code is made fast or small: nothing is lost
    -fanalyzer, -mindirect-branch=      the user loses something: a notice

Words that change what a program means (-fpcc-struct-return) stay, and clang refuses them. A
question to the compiler (probes.py) is answered by clang alone.

Source: the manual of gcc 14, "Option Summary".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_TUNING: Final = re.compile(
    r"-f(no-)?("
    r"tree-(?!vectorize$|slp-vectorize$)[\w-]+|(ipa|ira|lra|isolate|split|sched|sel-sched|selective|"
    r"reschedule|rerun|cse|loop|live|move-loop|var-tracking|shrink-wrap|ssa|profile-(?!use|generate|"
    r"instr|arcs|list|sample|update|dir)|lto-|graphite|gcse|if-conversion|peephole|regmove|stats|"
    r"reorder-(?!functions-by)|mem-report|pre-ipa|post-ipa|dump-|sched2|modulo-sched)[\w-]*|"
    r"aggressive-loop-optimizations|allocation-dce|allow-store-data-races|auto-inc-dec|bit-tests|"
    r"branch-probabilities|canonical-system-headers|code-hoisting|combine-stack-adjustments|"
    r"compare-elim|conserve-(space|stack)|cprop-registers|crossjumping|d[cs]e|delayed-branch|"
    r"delete-dead-exceptions|devirtualize-at-ltrans|diagnostics-(plain-output|show-cwe|urls|"
    r"path-format|show-caret|show-labels|generate-patch)|early-inlining|fp-int-builtin-inexact|"
    r"forward-propagate|function-cse|guess-branch-probability|hoist-adjacent-loads|"
    r"indirect-inlining|inline-atomics|large-source-files|lifetime-dse|limit-function-alignment|"
    r"optimize-(strlen|register-move)|partial-inlining|predictive-commoning|printf-return-value|ree|"
    r"report-bug|section-anchors|simd-cost-model|stack-reuse|stdarg-opt|store-merging|thread-jumps|"
    r"track-macro-expansion|trampolines|unconstrained-commons|unroll-completely-grow-size|"
    r"concepts(-ts)?|ext-numeric-literals|version-loops-for-strides|vpt|zee|max-include-depth|gnu-unique|working-directory"
    r")(=.*)?|"
    r"-m(no-)?(stringop-strategy|mem(cpy|set)-strategy|accumulate-outgoing-args|align-stringops|"
    r"inline-(all-stringops|stringops-dynamically)|branch-cost|tune-ctrl|fancy-math-387|push-args|"
    r"move-max|store-max|avx256-split-unaligned-(load|store)|fused-madd|veclibabi|"
    r"vect8-ret-in-mem|tls-dialect|direct-extern-access|needed|cld|stv)(=.*)?|"
    r"-g(no-)?(statement-frontiers|variable-location-views(=.*)?|as-loc(view)?-support|"
    r"internal-reset-location-views|inline-points|describe-dies|stabs\+?|toggle)"
)
_LOST: Final = re.compile(
    r"-f(no-)?(analyzer[\w-]*|callgraph-info|compare-debug|stack-check|harden-[\w-]+|"
    r"wrapv-pointer|toplevel-reorder|strict-volatile-bitfields|vtable-verify|"
    r"instrument-functions-exclude-(file|function)-list|profile-update)(=.*)?|"
    r"-m(indirect-branch|indirect-branch-register|function-return|manual-endbr|cet-switch|"
    r"(record|nop)-mcount|(preferred|incoming)-stack-boundary|force-drap|stack-protector-guard)(=.*)?"
)
_KNOWN_TO_CLANG: Final = frozenset((
    "-fstack-protector", "-fsplit-stack", "-fsplit-lto-unit", "-fsplit-machine-functions",
    "-fsplit-dwarf-inlining", "-fgcse", "-fprofile-use", "-mtls-dialect=gnu",
    "-mfunction-return=keep", "-mfunction-return=thunk-extern", "-fno-split-lto-unit",
))  # fmt: skip


def sorted_out(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words that clang takes, and those of the others by which something is lost."""
    kept, lost = [], []
    for word in words:
        if word in _KNOWN_TO_CLANG or not (word.startswith("-") and len(word) > 2):
            kept.append(word)
        elif _LOST.fullmatch(word):
            lost.append(word)
        elif not _TUNING.fullmatch(word):
            kept.append(word)
    return kept, lost
