"""Runs, and irsan-cc, go on from saved processes, in the process that was started.

    program_subject.py        the process that is saved: everything imported, the runtime linked
    rehearsal.py      which of its pages a run needs
    take.py           starts it, and writes what it is: table and pages (table.py)
    other_process.py  what the kernel says of it
    restore.c         becomes it, or starts Python where anything is not as it was
    restored.py       what differs from process to process, renewed in Python
    kept.py           where snapshots lie, and what one depends on
"""
