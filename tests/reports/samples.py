"""One finding per kind, as a run of a small program would produce it: input of golden tests."""

from __future__ import annotations

from irsan.reports.model.locations import LibraryState
from irsan.reports.model.report import (
    Access,
    AccessClock,
    AllocationRequest,
    BlockedThreads,
    ContainerBounds,
    FamilyMismatch,
    FileDescriptor,
    Finding,
    Frame,
    GlobalDefinition,
    GlobalVariable,
    GuardedSlot,
    HeapRegion,
    HeldMutex,
    KnownTime,
    LeakRecord,
    LockCycle,
    MutexFacts,
    OdrPair,
    PointerPair,
    PointerQuery,
    RangeOverlap,
    Report,
    RunOptions,
    ShadowDump,
    ShadowRow,
    SignalFacts,
    SignalHandlerFault,
    SizeArgument,
    SizeMismatch,
    Stack,
    StackLocation,
    StackObject,
    ThreadFacts,
    ThreadLeak,
    ThreadStack,
    ThreadWait,
    Timing,
    TlsBlock,
    UndefinedCheck,
    UninitialisedUse,
    WildAddress,
)

HEAP = 0x602000000010


def own(function: str, line: int, column: int = 5, pc: int = 0x401000) -> Frame:
    return Frame(function, "/src/a.c", line, column, pc + line * 16, "/src/a.out", line * 16)


def libc(function: str) -> Frame:
    return Frame(function, pc=0x60001000, interceptor=True)


def access(*frames: Frame, thread: str = "T0") -> Stack:
    return Stack("access", thread, frames or (own("main", 9),))


ALLOCATION = Stack("allocation", "T0", (libc("malloc"), own("main", 3)))
FREE = Stack("free", "T0", (libc("free"), own("main", 4)))
READ_4 = Access("read", 4, HEAP + 4)


def inside(size: int = 40, distance: int = 4, freed: bool = False) -> HeapRegion:
    return HeapRegion(HEAP + distance, "inside", distance, HEAP, HEAP + size, freed)


def shadow(culprit: int, value: int) -> ShadowDump:
    first = (culprit & ~0x7F) - 5 * 0x80
    rows = [bytearray(16) for _ in range(11)]
    rows[5][(culprit & 0x7F) >> 3] = value
    numbered = tuple(ShadowRow(first + i * 0x80, bytes(r)) for i, r in enumerate(rows))
    return ShadowDump(culprit, numbered)


def memory(kind: str, **facts: object) -> Finding:
    facts.setdefault("stacks", (access(),))
    return Finding("AddressSanitizer", kind, pc=0x401090, bp=0x7000, sp=0x6FF0, **facts)  # type: ignore[arg-type]


def at_call(kind: str, function: str, *more: Stack, **facts: object) -> Finding:
    return memory(kind, stacks=(access(libc(function), own("main", 9)), *more), **facts)


def request(kind: str, function: str, size: int, **facts: int) -> Finding:
    return at_call(kind, function, details=AllocationRequest(function, size, **facts))


def signal(name: str, **facts: object) -> Finding:
    return memory(name, details=SignalFacts(name, **facts))  # type: ignore[arg-type]


def local(offset: int, size: int, *objects: StackObject) -> StackLocation:
    return StackLocation(0x70000000 + offset, "T0", offset, own("main", 1), objects, size)


REGISTERS = tuple((name, i) for i, name in enumerate(("rax", "rbx", "rcx", "rdx", "rdi", "r8")))
ARRAY = StackObject("a", 32, 42, 2)

MEMORY: dict[str, Finding] = {
    "heap-use-after-free": memory(
        "heap-use-after-free",
        access=READ_4,
        stacks=(access(own("f", 7), own("main", 9)), ALLOCATION, FREE),
        locations=(inside(freed=True),),
        shadow=shadow(HEAP + 4, 0xFD),
    ),
    "heap-use-after-free-threads": memory(
        "heap-use-after-free",
        thread="T1",
        access=Access("write", 1, HEAP, "T1"),
        stacks=(
            access(own("f", 7), thread="T1"),
            ALLOCATION,
            Stack("free", "T2", (libc("free"), own("g", 2))),
            Stack("thread-creation", "T1", (libc("pthread_create"), own("main", 5))),
            Stack("thread-creation", "T2", (libc("pthread_create"), own("f", 6))),
        ),
        threads=(
            ThreadFacts("T1", "worker", 1001, "running", "T0"),
            ThreadFacts("T2", "", 1002, "finished", "T1"),
        ),
        locations=(inside(3, 0, freed=True),),
    ),
    "heap-buffer-overflow": memory(
        "heap-buffer-overflow",
        access=Access("write", 1, HEAP + 13),
        stacks=(access(), ALLOCATION),
        locations=(HeapRegion(HEAP + 13, "after", 0, HEAP, HEAP + 13),),
        shadow=shadow(HEAP + 13, 0x05),
    ),
    "heap-buffer-underflow": memory(
        "heap-buffer-overflow",
        access=Access("read", 1, HEAP - 1),
        stacks=(access(), ALLOCATION),
        locations=(HeapRegion(HEAP - 1, "before", 1, HEAP, HEAP + 20),),
        shadow=shadow(HEAP - 1, 0xFA),
    ),
    "stack-buffer-overflow": memory(
        "stack-buffer-overflow",
        access=Access("write", 1, 0x7000002A),
        locations=(local(42, 1, ARRAY),),
        shadow=shadow(0x7000002A, 0x02),
    ),
    "stack-buffer-two-objects": memory(
        "stack-buffer-overflow",
        access=Access("read", 1, 0x70000052),
        locations=(local(82, 1, StackObject("a", 64, 74, 3), StackObject("b", 96, 106, 3)),),
    ),
    "dynamic-stack-buffer-overflow": memory(
        "dynamic-stack-buffer-overflow",
        access=Access("write", 1, 0x7000002A),
        locations=(ThreadStack(0x7000002A, "T0"),),
    ),
    "global-buffer-overflow": memory(
        "global-buffer-overflow",
        access=READ_4,
        locations=(GlobalVariable(HEAP + 4, "g", 0x5000, 40, "after", 0, "/src/a.c", 1),),
    ),
    "global-string": memory(
        "global-buffer-overflow",
        access=Access("read", 1, 0x5009),
        locations=(
            GlobalVariable(0x5009, ".str", 0x5000, 9, "after", 0, "/src/a.c", 2, text="hi\nthere"),
        ),
    ),
    "initialization-order-fiasco": memory(
        "initialization-order-fiasco",
        access=READ_4,
        stacks=(access(), Stack("allocation", "T0", (own("__cxx_global_var_init", 3),))),
        locations=(GlobalVariable(HEAP + 4, "x", HEAP + 4, 4, "inside", 0, "/src/b.c", 1),),
    ),
    "container-overflow": memory(
        "container-overflow",
        access=READ_4,
        stacks=(access(), ALLOCATION),
        locations=(inside(),),
    ),
    "wild": memory(
        "unknown-crash", access=Access("access", 3, 0x123), locations=(WildAddress(0x123, 3),)
    ),
    "shadow-gap": memory(
        "unknown-crash",
        access=READ_4,
        locations=(WildAddress(0x123, 4, "shadow gap"),),
        fatal=False,
    ),
    "tls": memory("global-buffer-overflow", access=READ_4, locations=(TlsBlock(1, "T0", "tv"),)),
    "double-free": at_call(
        "double-free", "free", ALLOCATION, FREE, address=HEAP, locations=(inside(4, 0, True),)
    ),
    "bad-free": at_call("bad-free", "free", address=0x70000020, locations=(local(32, 1, ARRAY),)),
    "alloc-dealloc-mismatch": at_call(
        "alloc-dealloc-mismatch",
        "free",
        Stack("allocation", "T0", (libc("_Znam"), own("main", 3))),
        address=HEAP,
        details=FamilyMismatch("operator new []", "free"),
        locations=(inside(12, 0),),
    ),
    "new-delete-type-mismatch": at_call(
        "new-delete-type-mismatch",
        "_ZdlPvm",
        Stack("allocation", "T0", (libc("_Znwm"), own("main", 3))),
        address=HEAP,
        details=SizeMismatch(20, 4),
        locations=(inside(20, 0),),
    ),
    "new-delete-alignment": at_call(
        "new-delete-type-mismatch",
        "_ZdlPvmSt11align_val_t",
        address=HEAP,
        details=SizeMismatch(64, 4, 64, 0),
    ),
    "memcpy-param-overlap": at_call(
        "memcpy-param-overlap",
        "memcpy",
        ALLOCATION,
        details=RangeOverlap("memcpy", HEAP, HEAP + 5, HEAP + 2, HEAP + 7),
        locations=(inside(20, 0), local(34, 5, ARRAY)),
    ),
    "negative-size-param": at_call(
        "negative-size-param", "memset", ALLOCATION, details=SizeArgument(-1),
        locations=(inside(9, 0),),
    ),
    "calloc-overflow": request("calloc-overflow", "calloc", 4, count=2**64 - 1),
    "reallocarray-overflow": request("reallocarray-overflow", "reallocarray", 4, count=2**64 - 1),
    "pvalloc-overflow": request("pvalloc-overflow", "pvalloc", 2**64 - 1),
    "allocation-size-too-big": request(
        "allocation-size-too-big", "malloc", 1 << 50, total_bytes=(1 << 50) + 4096,
        limit_bytes=1 << 40,
    ),
    "out-of-memory": request("out-of-memory", "malloc", 1 << 38),
    "rss-limit-exceeded": request("rss-limit-exceeded", "malloc", 64, limit_bytes=20 << 20),
    "invalid-allocation-alignment": request(
        "invalid-allocation-alignment", "memalign", 10, alignment=17
    ),
    "invalid-aligned-alloc-alignment": request(
        "invalid-aligned-alloc-alignment", "aligned_alloc", 10, alignment=17
    ),
    "invalid-posix-memalign-alignment": request(
        "invalid-posix-memalign-alignment", "posix_memalign", 10, alignment=17
    ),
    "bad-malloc_usable_size": at_call(
        "bad-malloc_usable_size",
        "malloc_usable_size",
        details=PointerQuery("malloc_usable_size", 0x70000020),
    ),
    "bad-container": at_call(
        "bad-__sanitizer_annotate_contiguous_container",
        "__sanitizer_annotate_contiguous_container",
        details=ContainerBounds(
            "__sanitizer_annotate_contiguous_container", (HEAP, HEAP + 64, HEAP + 65, HEAP + 10)
        ),
    ),
    "odr-violation": memory(
        "odr-violation",
        stacks=tuple(Stack("allocation", "T0", (own("ctor", n),), subject=n) for n in (1, 2)),
        details=OdrPair(
            GlobalDefinition("G", 0x5000, 16, "/src/a.c", 1, module="/src/a.out"),
            GlobalDefinition("G", 0x6000, 72, "/src/b.c", 1, module="/src/libb.so"),
        ),
    ),
    "invalid-pointer-pair": memory(
        "invalid-pointer-pair",
        details=PointerPair(HEAP, HEAP + 0x40),
        stacks=(access(), ALLOCATION, Stack("allocation", "T0", (own("main", 4),), subject=1)),
        locations=(inside(10, 0), HeapRegion(HEAP + 64, "inside", 0, HEAP + 64, HEAP + 84)),
    ),
    "SEGV": signal("SEGV", address=0, cause="READ", registers=REGISTERS),
    "SEGV-high": signal("SEGV", cause="READ"),
    "SEGV-jump": memory(
        "SEGV", details=SignalFacts("SEGV", 0, "READ"), stacks=(access(Frame()),)
    ),
    "stack-overflow": signal("stack-overflow", address=0x6FFFFFF0),
    "FPE": signal("FPE", address=0x401090, registers=REGISTERS),
    "ABRT": signal("ABRT", address=0x1303),
    "ABRT-assertion": signal(
        "ABRT", address=None, reason="assertion", expression="n > 0",
        message="a.out: a.c:3: f: Assertion `n > 0' failed.",
    ),
    "ABRT-exception": signal(
        "ABRT", address=None, reason="exception", message="std::runtime_error: no such file",
    ),
    "library-precondition": memory(
        "library-precondition",
        details=SignalFacts(
            "ABRT", reason="precondition", expression="__n < size()",
            message="vector[] index out of bounds",
        ),
    ),
    "ABRT-abort": signal("ABRT", address=None, reason="abort", message="while handling int: 42"),
}  # fmt: skip

CREATED_T1 = Stack("thread-creation", "T1", (libc("pthread_create"), own("main", 5)))
T1 = ThreadFacts("T1", "worker", 1001, "finished", "T0")


def race(kind: str = "data race", **facts: object) -> Finding:
    facts.setdefault("threads", (T1,))
    return Finding("ThreadSanitizer", kind, fatal=False, **facts)  # type: ignore[arg-type]


def two_accesses(*more: Stack, **facts: object) -> Finding:
    facts.setdefault("access", Access("write", 4, HEAP))
    facts.setdefault("previous_access", Access("read", 4, HEAP, "T1"))
    previous = Stack("previous", "T1", (own("f", 7),))
    return race(stacks=(access(), previous, CREATED_T1, *more), **facts)


M0 = MutexFacts("M0", 0x5040)
M1 = MutexFacts("M1", 0x5080)
MADE_M0 = Stack("mutex-creation", "T0", (libc("pthread_mutex_init"), own("main", 2)), mutex="M0")
MADE_M1 = Stack("mutex-creation", "T0", (libc("pthread_mutex_init"), own("main", 3)), mutex="M1")

RACES: dict[str, Finding] = {
    "race-global": two_accesses(
        MADE_M0,
        MADE_M1,
        access=Access("write", 4, 0x5000, mutexes=(HeldMutex("M0"),)),
        previous_access=Access(
            "atomic write", 4, 0x5000, "T1", (HeldMutex("M0", False), HeldMutex("M1"))
        ),
        mutexes=(M0, M1),
        locations=(GlobalVariable(0x5000, "g", 0x5000, 4, module="/src/a.out", module_offset=80),),
    ),
    "race-heap": two_accesses(ALLOCATION, locations=(inside(),)),
    "race-stack": two_accesses(locations=(ThreadStack(0x7000, "T0"),)),
    "race-clocks": two_accesses(
        access=Access("write", 4, HEAP, "T2", clock=AccessClock(
            3, 7, (KnownTime("T0", 4), KnownTime("T1", 2))
        )),
        previous_access=Access("read", 4, HEAP, "T1", clock=AccessClock(5, 6)),
    ),
    "race-tls": two_accesses(locations=(TlsBlock(0x7000, "T1"),)),
    "race-fd": two_accesses(
        Stack("allocation", "T0", (libc("pipe"), own("main", 2))),
        locations=(FileDescriptor(4, "T0"),),
    ),
    "race-library-state": two_accesses(
        locations=(LibraryState(("localtime", "gmtime"), ("localtime_r", "gmtime_r")),)
    ),
    "race-on-object": two_accesses(
        access=Access("write", 1, HEAP, object_type="Swift.Array"), locations=()
    ),
    "race-heuristic": two_accesses(verdict="heuristic"),
    "lock-order-inversion": race(
        "lock-order-inversion (potential deadlock)",
        details=LockCycle(("M0", "M1")),
        mutexes=(M0, M1),
        stacks=(
            access(libc("pthread_mutex_lock"), own("main", 4)),
            Stack("access", "T1", (libc("pthread_mutex_lock"), own("f", 8)), subject=1),
            CREATED_T1,
        ),
    ),
    "lock-order-inversion-second-stacks": race(
        "lock-order-inversion (potential deadlock)",
        details=LockCycle(("M0", "M1")),
        mutexes=(M0, M1),
        threads=(),
        stacks=(
            access(own("main", 4)),
            Stack("previous", "T0", (own("main", 3),)),
            Stack("access", "T0", (own("main", 8),), subject=1),
            Stack("previous", "T0", (own("main", 7),), subject=1),
        ),
    ),
    "deadlock": race(
        "deadlock",
        thread="T1",
        details=BlockedThreads(
            (
                ThreadWait("T1", "mutex", 0x7000_1088, "T2"),
                ThreadWait("T2", "mutex", 0x7000_1060, "T1"),
                ThreadWait("T0", "thread to join", 0x800_0000_0400, "T1"),
            ),
            ("T1", "T2"),
        ),
        stacks=(
            Stack("access", "T1", (own("forward", 11),)),
            Stack("access", "T2", (own("backward", 20),), subject=1),
            Stack("access", "T0", (own("main", 31),), subject=2),
            CREATED_T1,
        ),
        hints=("Every thread is blocked for ever.",),
    ),
    "lost-wakeup": race(
        "lost wakeup (all threads asleep for ever)",
        details=BlockedThreads((ThreadWait("T0", "condition variable", 0x7000_1060),)),
        threads=(),
        stacks=(access(own("main", 12)),),
    ),
    "no-progress": race(
        "no progress (threads run for ever)",
        verdict="heuristic",
        details=BlockedThreads((ThreadWait("T0", "turn", 0), ThreadWait("T1", "turn", 0))),
        stacks=(
            access(own("main", 12)),
            Stack("access", "T1", (own("f", 7),), subject=1),
            CREATED_T1,
        ),
        hints=("The schedule has had 1048577 points, and the program has not ended.",),
    ),
    "thread-leak": race("thread leak", details=ThreadLeak("T1", 2), stacks=(CREATED_T1,)),
    "unlock-of-unlocked": race(
        "unlock of an unlocked mutex (or by a wrong thread)",
        thread="T1",
        mutexes=(M0,),
        stacks=(
            access(libc("pthread_mutex_unlock"), own("f", 7), thread="T1"), MADE_M0, CREATED_T1
        ),
        locations=(GlobalVariable(0x5040, "a", 0x5040, 40),),
    ),
    "destroy-locked": race(
        "destroy of a locked mutex",
        threads=(),
        mutexes=(MutexFacts("M0", 0x5040, True),),
        stacks=(
            access(libc("pthread_mutex_destroy"), own("main", 7)),
            Stack("previous", "T0", (libc("pthread_mutex_lock"), own("main", 6))),
        ),
    ),
    "signal-unsafe": race(
        "signal-unsafe call inside of a signal",
        threads=(),
        stacks=(access(libc("malloc"), own("handler", 6)),),
    ),
    "signal-errno": race(
        "signal handler spoils errno",
        threads=(),
        details=SignalHandlerFault(12),
        stacks=(access(),),
    ),
}  # fmt: skip


def leak(kind: str, total: int, n: int, *frames: Frame) -> Finding:
    record = LeakRecord(total, n, tuple((HEAP + i * 32, total // n) for i in range(n)))
    stacks = (Stack("allocation", "T0", (libc("malloc"), *frames)),)
    return Finding("LeakSanitizer", kind, stacks=stacks, details=record, fatal=False)


LEAKS = (
    leak("direct-leak", 10, 1, own("f", 3), own("main", 5)),
    leak("indirect-leak", 70, 2, own("main", 7)),
    leak("direct-leak", 20, 2, own("main", 6)),
)

OTHERS: dict[str, Finding] = {
    "undefined": Finding(
        "UndefinedBehaviorSanitizer",
        "signed-integer-overflow",
        fatal=False,
        stacks=(access(own("main", 9)),),
        details=UndefinedCheck(
            "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
            "signed-integer-overflow",
        ),
    ),
    "uninitialised": Finding(
        "MemorySanitizer",
        "use-of-uninitialized-value",
        stacks=(
            access(libc("strlen"), own("main", 9)),
            Stack("store-origin", "T0", (own("f", 6),)),
            Stack("allocation", "T0", (libc("malloc"), own("main", 3))),
        ),
        details=UninitialisedUse("a heap allocation", "strlen", 2, HEAP, 5),
    ),
    "guarded": Finding(
        "GWP-ASan",
        "Use After Free",
        stacks=(access(), ALLOCATION, FREE),
        details=GuardedSlot(HEAP, 16, HEAP + 18, 7, 7, 8),
    ),
    "limit": Finding(
        "AddressSanitizer", "inline assembly", "limit", stacks=(access(),), hints=("rewrite it",)
    ),
}

EVERYTHING: dict[str, Finding] = {
    **MEMORY,
    **RACES,
    **OTHERS,
    **{f"leak-{i}": f for i, f in enumerate(LEAKS)},
}


def report(*findings: Finding) -> Report:
    return Report(
        "a.c",
        ("one", "two words"),
        seed=7,
        schedule="r7",
        exit_status=66,
        timing=Timing(0.25, 0.125, 0.5, 1.0, False),
        options=RunOptions(("address", "leak"), "-O1"),
        findings=findings,
        pid=4242,
    )
