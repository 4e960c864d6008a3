"""Recorded runs: raw events of the running program become a trace, in a process of their own.

    kernels --raw events--> pipe --> translation.py --chunks--> trace_output.py --> FILE
                                     variables.py   what memory is called (memory_*, mixed_accesses)
                                     orders.py      what locks, forks and joins say of the rest

The process writes while the program runs; `recorder.py` starts it and hears from it at the end.
"""
