; Schedules of a program that has begun, each in a process forked for it
; (explore/playing/forker.py).
;
;   irsan_serve_schedules(calls, n, fork, orders)
;
;     calls     n of them are made first (system_calls.ll), then the process that serves
;     fork      of the C library
;     orders    words in memory that all of them share: descriptors 0 by which schedules are asked
;               for, 1 by which their ends are told, 2 to which clean ends are told, 3 and 4 the
;               other sides of 0 and 1;  5 the signals that are blocked in a schedule;  6 how many
;               events leave a clean end to Python, too;  7 is to be the schedule's process,
;               negative for none;  8 where pairs of addresses and sizes in bytes begin, then 0:
;               memory that Python will write to;  9 to 24 a mask of the processors that a
;               schedule may use;  from 25 on pairs of addresses and words with which a schedule
;               begins, then 0
;
; The result is that of fork.  In a schedule's process, 0, too, but only where Python has to go on:
; the guest has left an event that is no clean end (clean_end.py), and errno is as it has left it.
; A clean end takes no page of Python's, of which each would have to be copied; nor does the
; process that serves, so that a fork finds none to copy.  What is told of a clean end are six
; words, then the rows of its events, in one write (explore/playing/answers.py):
;
;   bytes behind the rows: 0, process, status, hash of what decided, points, rows

define i64 @irsan_serve_schedules(ptr %calls, i64 %n, ptr %fork, ptr %orders) noinline {
entry:
  %word = alloca i64
  %at.1 = getelementptr i64, ptr %orders, i64 1
  %at.2 = getelementptr i64, ptr %orders, i64 2
  %at.3 = getelementptr i64, ptr %orders, i64 3
  %at.4 = getelementptr i64, ptr %orders, i64 4
  %at.5 = getelementptr i64, ptr %orders, i64 5
  %at.6 = getelementptr i64, ptr %orders, i64 6
  %at.7 = getelementptr i64, ptr %orders, i64 7
  %at.8 = getelementptr i64, ptr %orders, i64 8
  %at.9 = getelementptr i64, ptr %orders, i64 9
  %pairs = getelementptr i64, ptr %orders, i64 25
  %asks = load i64, ptr %orders
  %tells = load i64, ptr %at.1
  %answers = load i64, ptr %at.2
  %other.asks = load i64, ptr %at.3
  %other.tells = load i64, ptr %at.4
  %mask.addr = ptrtoint ptr %at.5 to i64
  %processors.addr = ptrtoint ptr %at.9 to i64
  %word.addr = ptrtoint ptr %word to i64
  call void @irsan_system_calls(ptr %calls, i64 %n)
  %server = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.CLONE to i64), i64 0, i64 0,
    i64 0, i64 0)
  %is.server = icmp eq i64 %server, 0
  br i1 %is.server, label %begin, label %host
host:
  ret i64 %server
begin:
  %closed.3 = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.CLOSE to i64),
    i64 %other.asks, i64 0, i64 0, i64 0)
  %closed.4 = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.CLOSE to i64),
    i64 %other.tells, i64 0, i64 0, i64 0)
  br label %await
await:
  %n.read = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.READ to i64), i64 %asks,
    i64 %word.addr, i64 1, i64 0)
  %is.asked = icmp eq i64 %n.read, 1
  br i1 %is.asked, label %asked, label %over
over:
  %ended = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.EXIT_GROUP to i64), i64 0,
    i64 0, i64 0, i64 0)
  unreachable
asked:
  %child = call i32 %fork()
  %is.child = icmp eq i32 %child, 0
  br i1 %is.child, label %play, label %watch
watch:
  %number = sext i32 %child to i64
  store i64 %number, ptr %at.7
  store i64 0, ptr %word
  %waited = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.WAIT4 to i64), i64 %number,
    i64 %word.addr, i64 0, i64 0)
  %written = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.WRITE to i64), i64 %tells,
    i64 %word.addr, i64 8, i64 0)
  br label %await
play:
  %closed.0 = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.CLOSE to i64), i64 %asks,
    i64 0, i64 0, i64 0)
  %closed.1 = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.CLOSE to i64), i64 %tells,
    i64 0, i64 0, i64 0)
  %masked = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.RT_SIGPROCMASK to i64),
    i64 ptrtoint (ptr @constants.SIG_SETMASK to i64), i64 %mask.addr, i64 0, i64 8)
  %released = call i64 @irsan_call_system(
    i64 ptrtoint (ptr @constants.SCHED_SETAFFINITY to i64), i64 0, i64 128, i64 %processors.addr,
    i64 0)
  %most = load i64, ptr %at.6
  br label %choose
choose:
  %pair = phi ptr [ %pairs, %play ], [ %behind, %put ]
  %place = load ptr, ptr %pair
  %is.end = icmp eq ptr %place, null
  br i1 %is.end, label %run, label %put
put:
  %from = getelementptr i64, ptr %pair, i64 1
  %value = load i64, ptr %from
  store i64 %value, ptr %place
  %behind = getelementptr i64, ptr %pair, i64 2
  br label %choose
run:
  %event = call i64 @irsan_play_here(i64 %answers, i64 %most)
  %ranges = load ptr, ptr %at.8
  br label %expect
expect:
  %range = phi ptr [ %ranges, %run ], [ %next, %copy ]
  %lo = load i64, ptr %range
  %is.last = icmp eq i64 %lo, 0
  br i1 %is.last, label %python, label %copy
copy:
  %size.at = getelementptr i64, ptr %range, i64 1
  %size = load i64, ptr %size.at
  %copied = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.MADVISE to i64), i64 %lo,
    i64 %size, i64 ptrtoint (ptr @constants.POPULATE_WRITE to i64), i64 0)
  %next = getelementptr i64, ptr %range, i64 2
  br label %expect
python:
  ret i64 %event
}

define internal i64 @irsan_play_here(i64 %answers, i64 %most) noinline {
entry:
  %told = alloca [6 x i64]
  %parts = alloca [4 x i64]
  %grouped = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.SETPGID to i64), i64 0,
    i64 0, i64 0, i64 0)
  %thread = load i64, ptr @ctx.thread
  %sp.addr = add i64 %thread, ptrtoint (ptr @thread.sp to i64)
  %sp.at = inttoptr i64 %sp.addr to ptr
  %sp = load i64, ptr %sp.at
  call void @__irsan_resume(i64 %sp)
  %clean = call i8 @k.ends_clean()
  %is.clean = icmp ne i8 %clean, 0
  br i1 %is.clean, label %count, label %python
count:
  %tracing = load i64, ptr @ctx.explore.is_tracing
  %is.traced = icmp ne i64 %tracing, 0
  %n.events = load i64, ptr @ctx.explore.n_events
  %rows = select i1 %is.traced, i64 %n.events, i64 0
  %fits = icmp ult i64 %rows, %most
  br i1 %fits, label %tell, label %python
tell:
  %pid = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.GETPID to i64), i64 0, i64 0,
    i64 0, i64 0)
  %status.word = load i64, ptr @ctx.event.args.0
  %status = and i64 %status.word, 255
  %order = load i64, ptr @ctx.explore.order_hash
  %decisions = load i64, ptr @ctx.schedule.hash
  %has.order = icmp ne i64 %order, 0
  %hash = select i1 %has.order, i64 %order, i64 %decisions
  %steps = load i64, ptr @ctx.explore.steps
  %told.1 = getelementptr i64, ptr %told, i64 1
  %told.2 = getelementptr i64, ptr %told, i64 2
  %told.3 = getelementptr i64, ptr %told, i64 3
  %told.4 = getelementptr i64, ptr %told, i64 4
  %told.5 = getelementptr i64, ptr %told, i64 5
  store i64 0, ptr %told
  store i64 %pid, ptr %told.1
  store i64 %status, ptr %told.2
  store i64 %hash, ptr %told.3
  store i64 %steps, ptr %told.4
  store i64 %rows, ptr %told.5
  %parts.1 = getelementptr i64, ptr %parts, i64 1
  %parts.2 = getelementptr i64, ptr %parts, i64 2
  %parts.3 = getelementptr i64, ptr %parts, i64 3
  %told.addr = ptrtoint ptr %told to i64
  %bytes = mul i64 %rows, ptrtoint (ptr @explore_words.EVENT_BYTES to i64)
  store i64 %told.addr, ptr %parts
  store i64 48, ptr %parts.1
  store i64 ptrtoint (ptr @explore_words.EVENTS to i64), ptr %parts.2
  store i64 %bytes, ptr %parts.3
  %parts.addr = ptrtoint ptr %parts to i64
  %written = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.WRITEV to i64), i64 %answers,
    i64 %parts.addr, i64 2, i64 0)
  %whole = add i64 %bytes, 48
  %is.whole = icmp eq i64 %written, %whole
  br i1 %is.whole, label %end, label %python
end:
  %ended = call i64 @irsan_call_system(i64 ptrtoint (ptr @constants.EXIT_GROUP to i64), i64 0,
    i64 0, i64 0, i64 0)
  unreachable
python:
  ret i64 0
}

define internal i64 @irsan_call_system(i64 %number, i64 %a.1, i64 %a.2, i64 %a.3,
    i64 %a.4) nounwind {
  %result = call i64 asm sideeffect "syscall",
    "={rax},{rax},{rdi},{rsi},{rdx},{r10},{r8},~{rcx},~{r11},~{memory},~{flags}"(
    i64 %number, i64 %a.1, i64 %a.2, i64 %a.3, i64 %a.4, i64 0)
  ret i64 %result
}

@ctx.event.args.0 = external global i8
@ctx.explore.is_tracing = external global i8
@ctx.explore.n_events = external global i8
@ctx.explore.order_hash = external global i8
@ctx.explore.steps = external global i8
@ctx.schedule.hash = external global i8
@ctx.thread = external global i8
@constants.CLONE = external global i8
@constants.CLOSE = external global i8
@constants.EXIT_GROUP = external global i8
@constants.GETPID = external global i8
@constants.MADVISE = external global i8
@constants.POPULATE_WRITE = external global i8
@constants.READ = external global i8
@constants.RT_SIGPROCMASK = external global i8
@constants.SCHED_SETAFFINITY = external global i8
@constants.SETPGID = external global i8
@constants.SIG_SETMASK = external global i8
@constants.WAIT4 = external global i8
@constants.WRITE = external global i8
@constants.WRITEV = external global i8
@explore_words.EVENTS = external global i8
@explore_words.EVENT_BYTES = external global i8
@thread.sp = external global i8

declare void @__irsan_resume(i64)
declare void @irsan_system_calls(ptr, i64) nounwind
declare i8 @k.ends_clean()
