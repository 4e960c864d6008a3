; The life of the program: constructors, main, exit handlers, the search for leaks, the end.
;
;   __irsan_program_main     first frame of the main thread: constructors, main, exit
;   __irsan_exit             exit() after its entry has kept the caller's registers (leaks.py)
;   __irsan_leave            _exit and its like
;
; Behind main, and behind the last thread's function, no frame on this stack is alive.

define void @__irsan_program_main(ptr %unused) {
entry:
  %argc.word = load i64, ptr @ctx.program.argc
  %argc = trunc i64 %argc.word to i32
  %argv = load ptr, ptr @ctx.program.argv
  %envp = load ptr, ptr @ctx.program.envp
  %main = load ptr, ptr @ctx.program.main
  %constructors = load ptr, ptr @ctx.program.constructors
  %count = load i64, ptr @ctx.program.n_constructors
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %construct ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %construct, label %run
construct:
  %place = getelementptr ptr, ptr %constructors, i64 %i
  %constructor = load ptr, ptr %place
  call void %constructor(i32 %argc, ptr %argv, ptr %envp)
  %i.next = add i64 %i, 1
  br label %loop
run:
  %status = call i32 %main(i32 %argc, ptr %argv, ptr %envp)
  store i64 ptrtoint (ptr @leak_records.FRAMES_ARE_GONE to i64), ptr @leak_records.AT_EXIT_CALLER
  call void @__irsan_exit(i32 %status)
  unreachable
}

define void @__irsan_exit(i32 %status) noreturn {
  %top = load i64, ptr @ctx.frame_top
  %site = load i32, ptr @ctx.site
  br label %claim
claim:
  %claimed = call i8 @k.begin_exit()
  %is.ours = icmp ne i8 %claimed, 0
  br i1 %is.ours, label %begin, label %late
late:
  call void @__irsan_reschedule()
  br label %claim
begin:
  call void @k.stop_init_order()
  br label %next
next:
  %routine = call i64 @k.next_exit_handler()
  %none = icmp eq i64 %routine, 0
  br i1 %none, label %wait, label %run
run:
  %argument = load i64, ptr @ctx.event.args.0
  %wants.status = load i64, ptr @ctx.event.args.1
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  %plain = icmp eq i64 %wants.status, 0
  br i1 %plain, label %call, label %tell
call:
  call void %function(ptr %passed)
  br label %called
tell:
  call void %function(i32 %status, ptr %passed)
  br label %called
called:
  store i64 %top, ptr @ctx.frame_top
  store i32 %site, ptr @ctx.site
  br label %next
wait:
  %waits = call i8 @k.others_go_on()
  %others = icmp ne i8 %waits, 0
  br i1 %others, label %let, label %leave
let:
  call void @__irsan_reschedule()
  br label %wait
leave:
  %flushed = call i32 @__irsan_real_fflush(ptr null)
  call void @__irsan_search_at_exit()
  call void @__irsan_leave(i32 %status)
  unreachable
}

define void @__irsan_leave(i32 %status) noreturn {
  %wide = sext i32 %status to i64
  store i64 %wide, ptr @ctx.event.args.0
  store i64 ptrtoint (ptr @events.EXIT to i64), ptr @ctx.event.number
  call void @__irsan_to_host()
  unreachable
}

define void @__interceptor_quick_exit(i32 %status) noreturn {
  br label %next
next:
  %routine = call i64 @k.next_quick_exit_handler()
  %none = icmp eq i64 %routine, 0
  br i1 %none, label %leave, label %run
run:
  %argument = load i64, ptr @ctx.event.args.0
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  call void %function(ptr %passed)
  br label %next
leave:
  call void @__irsan_leave(i32 %status)
  unreachable
}

define void @__interceptor__exit(i32 %status) noreturn {
  call void @__irsan_leave(i32 %status)
  unreachable
}

define void @__interceptor__Exit(i32 %status) noreturn {
  call void @__irsan_leave(i32 %status)
  unreachable
}

@ctx.event.number = external global i8
@ctx.event.args.0 = external global i8
@ctx.event.args.1 = external global i8
@ctx.frame_top = external global i8
@ctx.program.argc = external global i8
@ctx.program.argv = external global i8
@ctx.program.constructors = external global i8
@ctx.program.envp = external global i8
@ctx.program.main = external global i8
@ctx.program.n_constructors = external global i8
@ctx.site = external global i8
@events.EXIT = external global i8
@leak_records.AT_EXIT_CALLER = external global i8
@leak_records.FRAMES_ARE_GONE = external global i8

declare i8 @k.begin_exit()
declare i64 @k.next_exit_handler()
declare i64 @k.next_quick_exit_handler()
declare i8 @k.others_go_on()
declare void @k.stop_init_order()
declare extern_weak i32 @__irsan_real_fflush(ptr)
declare void @__irsan_reschedule()
declare void @__irsan_search_at_exit()
declare void @__irsan_to_host()
