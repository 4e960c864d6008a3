"""What two schedules share when they have found the same: a key for each finding.

The key is the finding's fingerprint without the source's text, and the innermost place of the
program's own on each side.  So it is known without a look at the source, and findings that a report
has to number apart (reports/model/fingerprints.py) have keys of their own.
"""

from __future__ import annotations

import hashlib

from irsan.reports.model.fingerprints import EXACT, fingerprints
from irsan.reports.model.report import Finding, Stack

_KEY_BYTES = 8


def key_of(finding: Finding) -> str:
    """The key, the same in every process that runs this program."""
    name = fingerprints(finding)[EXACT]
    places = sorted({_place(stack) for stack in finding.stacks if _is_side(stack)})
    text = "\0".join([name, finding.verdict, *places]).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=_KEY_BYTES).hexdigest()


def _is_side(stack: Stack) -> bool:
    return stack.role in ("access", "previous", "allocation", "free")


def _place(stack: Stack) -> str:
    if stack.user_frame < 0:
        return stack.role
    frame = stack.frames[stack.user_frame]
    return f"{frame.file}:{frame.line}:{frame.column}"
