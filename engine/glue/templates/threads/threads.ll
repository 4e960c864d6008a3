; The switch between threads, their first frames and their end.
;
;   __irsan_reschedule     the scheduler's question and the switch
;   __irsan_thread_main    first frame of every guest thread but the main one
;   __irsan_thread_exit    destructors of keys, locks that are still held, then others go on
;   __irsan_callback       first frame of a function that the host calls
;   __irsan_call_words     a function with 7 arguments that lie at an address; more do no harm
;   __irsan_timer_notify   the routine of a thread that a timer starts
;   __irsan_tls_get_addr   __tls_get_addr of archives: {1 = the guest's, offset}, {0, address}

define void @__irsan_reschedule() noinline {
  br label %ask
ask:
  %next = call i64 @k.schedule_next()
  %rings.at = load i64, ptr @ctx.signals.rings_at
  %unarmed = icmp eq i64 %rings.at, 0
  br i1 %unarmed, label %judge, label %armed, !prof !0
armed:
  call void @irsan_refresh_mask()
  %rang = call i8 @k.ring_timers()
  %was.due = icmp ne i8 %rang, 0
  br i1 %was.due, label %ask, label %judge
judge:
  %none = icmp eq i64 %next, 0
  br i1 %none, label %idle, label %found
idle:
  store i64 ptrtoint (ptr @events.IDLE to i64), ptr @ctx.event.number
  call void @__irsan_to_host()
  br label %ask
found:
  %current = load i64, ptr @ctx.thread
  %same = icmp eq i64 %next, %current
  br i1 %same, label %done, label %switch
switch:
  %previous = call i64 @k.switch_threads(i64 %next)
  %masks = load i64, ptr @ctx.signals.masks_used
  %no.masks = icmp eq i64 %masks, 0
  br i1 %no.masks, label %go, label %exchange, !prof !0
exchange:
  call void @irsan_exchange_masks(i64 %previous, i64 %next)
  br label %go
go:
  %slot.addr = add i64 %previous, ptrtoint (ptr @thread.sp to i64)
  %slot = inttoptr i64 %slot.addr to ptr
  %sp.addr = add i64 %next, ptrtoint (ptr @thread.sp to i64)
  %sp.slot = inttoptr i64 %sp.addr to ptr
  %sp = load i64, ptr %sp.slot
  call void @irsan_switch(ptr %slot, i64 %sp)
  call void @irsan_enter_stack()
  br label %done
done:
  call void @irsan_deliver_if_due()
  ret void
}

define void @__irsan_thread_main(ptr %unused) {
  call void @irsan_enter_stack()
  %thread = load i64, ptr @ctx.thread
  %routine.addr = add i64 %thread, ptrtoint (ptr @thread.start_routine to i64)
  %routine.slot = inttoptr i64 %routine.addr to ptr
  %routine = load i64, ptr %routine.slot
  %argument.addr = add i64 %thread, ptrtoint (ptr @thread.argument to i64)
  %argument.slot = inttoptr i64 %argument.addr to ptr
  %argument = load i64, ptr %argument.slot
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  %result = call ptr %function(ptr %passed)
  call void @__irsan_thread_exit(ptr %result)
  unreachable
}

define void @__irsan_thread_exit(ptr %result) noreturn {
  %thread = load i64, ptr @ctx.thread
  %word = ptrtoint ptr %result to i64
  %result.addr = add i64 %thread, ptrtoint (ptr @thread.result to i64)
  %result.slot = inttoptr i64 %result.addr to ptr
  store i64 %word, ptr %result.slot
  br label %next
next:
  %routine = call i64 @k.next_thread_destructor()
  %none = icmp eq i64 %routine, 0
  br i1 %none, label %settle, label %destroy
settle:
  call void @k.settle_held_locks()
  %told = load i32, ptr @ctx.action
  %is.quiet = icmp eq i32 %told, 0
  br i1 %is.quiet, label %finish, label %tell
tell:
  %again = call i32 @__irsan_act()
  br label %settle
destroy:
  %argument = load i64, ptr @ctx.event.args.0
  %function = inttoptr i64 %routine to ptr
  %passed = inttoptr i64 %argument to ptr
  call void %function(ptr %passed)
  br label %next
finish:
  %last = call i8 @k.end_thread()
  %was.last = icmp ne i8 %last, 0
  br i1 %was.last, label %leave, label %others
leave:
  store i64 ptrtoint (ptr @leak_records.FRAMES_ARE_GONE to i64), ptr @leak_records.AT_EXIT_CALLER
  call void @__irsan_exit(i32 0)
  unreachable
others:
  call void @__irsan_reschedule()
  unreachable
}

define void @__irsan_callback(ptr %unused) noreturn {
  %function = load ptr, ptr @ctx.interface.call_function
  %first = load i64, ptr @ctx.interface.call_first
  %second = load i64, ptr @ctx.interface.call_second
  %result = call i64 %function(i64 %first, i64 %second)
  store i64 %result, ptr @ctx.interface.call_result
  store i64 ptrtoint (ptr @events.CALLED to i64), ptr @ctx.event.number
  call void @__irsan_to_host()
  unreachable
}

define i64 @__irsan_call_words(ptr %function, ptr %words) {
  %p0 = getelementptr i64, ptr %words, i64 0
  %p1 = getelementptr i64, ptr %words, i64 1
  %p2 = getelementptr i64, ptr %words, i64 2
  %p3 = getelementptr i64, ptr %words, i64 3
  %p4 = getelementptr i64, ptr %words, i64 4
  %p5 = getelementptr i64, ptr %words, i64 5
  %p6 = getelementptr i64, ptr %words, i64 6
  %w0 = load i64, ptr %p0
  %w1 = load i64, ptr %p1
  %w2 = load i64, ptr %p2
  %w3 = load i64, ptr %p3
  %w4 = load i64, ptr %p4
  %w5 = load i64, ptr %p5
  %w6 = load i64, ptr %p6
  %result = call i64 %function(i64 %w0, i64 %w1, i64 %w2, i64 %w3, i64 %w4, i64 %w5, i64 %w6)
  ret i64 %result
}

define i64 @__irsan_tls_get_addr(ptr %pair) {
  %word = ptrtoint ptr %pair to i64
  %found = call i64 @k.archive_tls_address(i64 %word)
  ret i64 %found
}

define ptr @__irsan_timer_notify(ptr %value) {
  %word = call i64 @k.begin_notification()
  %function = inttoptr i64 %word to ptr
  call void %function(ptr %value)
  ret ptr null
}

@ctx.action = external global i8
@ctx.event.number = external global i8
@ctx.event.args.0 = external global i8
@ctx.interface.call_first = external global i8
@ctx.interface.call_function = external global i8
@ctx.interface.call_result = external global i8
@ctx.interface.call_second = external global i8
@ctx.signals.masks_used = external global i8
@ctx.signals.rings_at = external global i8
@ctx.thread = external global i8
@events.CALLED = external global i8
@events.IDLE = external global i8
@leak_records.AT_EXIT_CALLER = external global i8
@leak_records.FRAMES_ARE_GONE = external global i8
@thread.argument = external global i8
@thread.result = external global i8
@thread.sp = external global i8
@thread.start_routine = external global i8

declare i64 @k.archive_tls_address(i64)
declare i64 @k.begin_notification()
declare i8 @k.end_thread()
declare i64 @k.next_thread_destructor()
declare i8 @k.ring_timers()
declare i64 @k.schedule_next()
declare void @k.settle_held_locks()
declare i64 @k.switch_threads(i64)
declare i32 @__irsan_act()
declare void @__irsan_exit(i32) noreturn
declare void @__irsan_to_host()
declare void @irsan_deliver_if_due()
declare void @irsan_enter_stack()
declare void @irsan_exchange_masks(i64, i64)
declare void @irsan_refresh_mask()
declare void @irsan_switch(ptr, i64)

!0 = !{!"branch_weights", i32 100000, i32 1}
