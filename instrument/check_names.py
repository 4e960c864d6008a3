"""The words for what is checked, known to those who ask and to those who insert."""

ADDRESS, THREAD = "address", "thread"
POINTER_PAIRS = "pointer-pairs"  # a part of address checks that has to be asked for
