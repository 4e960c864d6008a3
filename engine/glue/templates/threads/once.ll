; Routines that run once, called where the program asks for them.
;
;   pthread_once, call_once     the flag is a word of 32 bits, done with 2
;   __call_once of libc++       the flag has 64 bits, done with all set, which its headers look at
;
; While another thread is at it the caller waits (ctx.action is RETRY); a routine that throws
; leaves the flag as if it had never begun.  __irsan_tell: the program's own functions around
; waits.
;
; __libc_single_threaded lets libstdc++ count references without atomics.  The C library's flag
; knows the host's threads, not the guest's, so the guest reads this one, which never promises
; anything.  It fills a word, as the shadow shows it to the program by words.

@__interceptor___libc_single_threaded = global i64 0

define i32 @__interceptor_pthread_once(ptr %once, ptr %routine)
    personality ptr @__gcc_personality_v0 {
entry:
  %a = ptrtoint ptr %once to i64
  call void @__irsan_tell(ptr @ctx.interface.wait_begins)
  br label %begin
begin:
  %state = call i32 @k.once_begin(i64 %a)
  %action = load i32, ptr @ctx.action
  %quiet = icmp eq i32 %action, 0
  br i1 %quiet, label %decide, label %wait
wait:
  %again = call i32 @__irsan_act()
  br label %begin
decide:
  call void @__irsan_tell(ptr @ctx.interface.wait_ends)
  %mine = icmp eq i32 %state, 1
  br i1 %mine, label %call, label %done
call:
  invoke void %routine() to label %called unwind label %thrown
called:
  call void @k.once_end(i64 %a, i32 2)
  br label %done
thrown:
  %pad = landingpad { ptr, i32 } cleanup
  call void @k.once_end(i64 %a, i32 0)
  resume { ptr, i32 } %pad
done:
  ret i32 0
}

define void @__interceptor_call_once(ptr %once, ptr %routine) {
  %ignored = call i32 @__interceptor_pthread_once(ptr %once, ptr %routine)
  ret void
}

define void @__interceptor__ZNSt3__111__call_onceERVmPvPFvS2_E(
    ptr %once, ptr %argument, ptr %routine)
    personality ptr @__gcc_personality_v0 {
entry:
  %a = ptrtoint ptr %once to i64
  call void @__irsan_tell(ptr @ctx.interface.wait_begins)
  br label %begin
begin:
  %state = call i32 @k.once_begin(i64 %a)
  %action = load i32, ptr @ctx.action
  %quiet = icmp eq i32 %action, 0
  br i1 %quiet, label %decide, label %wait
wait:
  %again = call i32 @__irsan_act()
  br label %begin
decide:
  call void @__irsan_tell(ptr @ctx.interface.wait_ends)
  %mine = icmp eq i32 %state, 1
  br i1 %mine, label %call, label %done
call:
  invoke void %routine(ptr %argument) to label %called unwind label %thrown
called:
  %high = getelementptr i8, ptr %once, i64 4
  store i32 -1, ptr %high
  call void @k.once_end(i64 %a, i32 -1)
  br label %done
thrown:
  %pad = landingpad { ptr, i32 } cleanup
  call void @k.once_end(i64 %a, i32 0)
  resume { ptr, i32 } %pad
done:
  ret void
}

@ctx.action = external global i8
@ctx.interface.wait_begins = external global i8
@ctx.interface.wait_ends = external global i8

declare i32 @k.once_begin(i64)
declare void @k.once_end(i64, i32)
declare i32 @__gcc_personality_v0(...)
declare i32 @__irsan_act()
declare void @__irsan_tell(ptr)
