; Signals between green threads: masks.
;
; A signal that its thread blocks is kept for that thread: the kernel would give it to whichever
; thread runs when it is unblocked.  The kernel's mask is that of the running thread: it is
; exchanged at every switch once the guest has used masks at all.  What the new mask lets through
; then is noted: the stack is still that of the thread before.
;
; The kernel never blocks SIGSEGV: a look at the shadow of a gap is a fault (arena_gaps.py), and
; one that is blocked ends the process without a report.  That a thread blocks it is in
; thread.sigmask alone.
;
; Deviations: see runtime/kernels/threads/signals.py.

%irsan.set = type [16 x i64]

define i32 @irsan_sigpending(ptr %set) {
  %status = call i32 @__irsan_real_sigpending(ptr %set)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %add, label %done
add:
  %native = load i64, ptr %set
  %own = call i64 @k.pending_signals()
  %both = or i64 %native, %own
  store i64 %both, ptr %set
  br label %done
done:
  ret i32 %status
}

define i64 @irsan_blocked_segv() {
  %thread = load i64, ptr @ctx.thread
  %addr = add i64 %thread, ptrtoint (ptr @thread.sigmask to i64)
  %place = inttoptr i64 %addr to ptr
  %mask = load i64, ptr %place
  %bit = and i64 %mask, ptrtoint (ptr @constants.SEGV_BIT to i64)
  ret i64 %bit
}

define ptr @irsan_without_segv(ptr %set, ptr %room) {
  %none = icmp eq ptr %set, null
  br i1 %none, label %done, label %copy
copy:
  %signals = load i64, ptr %set
  %open = and i64 %signals, ptrtoint (ptr @constants.NOT_SEGV to i64)
  call void @llvm.memset.p0.i64(ptr %room, i8 0, i64 128, i1 false)
  store i64 %open, ptr %room
  br label %done
done:
  %given = phi ptr [ null, %0 ], [ %room, %copy ]
  ret ptr %given
}

define void @irsan_exchange_masks(i64 %previous, i64 %next) noinline {
  %new = alloca %irsan.set
  %old = alloca %irsan.set
  call void @llvm.memset.p0.i64(ptr %new, i8 0, i64 128, i1 false)
  %next.addr = add i64 %next, ptrtoint (ptr @thread.sigmask to i64)
  %next.place = inttoptr i64 %next.addr to ptr
  %wanted = load i64, ptr %next.place
  %open = and i64 %wanted, ptrtoint (ptr @constants.NOT_SEGV to i64)
  store i64 %open, ptr %new
  store volatile i64 0, ptr @ctx.host.in_guest
  %ignored = call i32 @__irsan_real_pthread_sigmask(i32 ptrtoint (ptr @libc.SIG_SETMASK to i32),
      ptr %new, ptr %old)
  store volatile i64 1, ptr @ctx.host.in_guest
  %was = load i64, ptr %old
  %previous.addr = add i64 %previous, ptrtoint (ptr @thread.sigmask to i64)
  %previous.place = inttoptr i64 %previous.addr to ptr
  %before = load i64, ptr %previous.place
  %kept = and i64 %before, ptrtoint (ptr @constants.SEGV_BIT to i64)
  %whole = or i64 %was, %kept
  store i64 %whole, ptr %previous.place
  ret void
}

define void @irsan_refresh_mask() noinline cold {
  %used = load i64, ptr @ctx.signals.masks_used
  %never = icmp eq i64 %used, 0
  br i1 %never, label %done, label %note
note:
  call void @irsan_note_mask()
  br label %done
done:
  ret void
}

define void @irsan_note_mask() noinline {
  %now = alloca %irsan.set
  store i64 1, ptr @ctx.signals.masks_used
  %ignored = call i32 @__irsan_real_pthread_sigmask(i32 ptrtoint (ptr @libc.SIG_BLOCK to i32),
      ptr null, ptr %now)
  %native = load i64, ptr %now
  %kept = call i64 @irsan_blocked_segv()
  %mask = or i64 %native, %kept
  %thread = load i64, ptr @ctx.thread
  %addr = add i64 %thread, ptrtoint (ptr @thread.sigmask to i64)
  %place = inttoptr i64 %addr to ptr
  store i64 %mask, ptr %place
  ret void
}

define i64 @irsan_signals_of(ptr %set) {
  %none = icmp eq ptr %set, null
  br i1 %none, label %done, label %look
look:
  %word = load i64, ptr %set
  br label %done
done:
  %signals = phi i64 [ 0, %0 ], [ %word, %look ]
  ret i64 %signals
}

define ptr @irsan_given_mask(i32 %how, ptr %new, ptr %room) {
  %open = call ptr @irsan_without_segv(ptr %new, ptr %room)
  %opens = icmp eq i32 %how, ptrtoint (ptr @libc.SIG_UNBLOCK to i32)
  %given = select i1 %opens, ptr %new, ptr %open
  ret ptr %given
}

define void @irsan_mask_given(i32 %how, ptr %given, i64 %signals, ptr %old, i64 %before) {
  %unwanted = icmp eq ptr %old, null
  br i1 %unwanted, label %look, label %tell
tell:
  %native = load i64, ptr %old
  %whole = or i64 %native, %before
  store i64 %whole, ptr %old
  br label %look
look:
  %asks = icmp eq ptr %given, null
  br i1 %asks, label %done, label %changed
changed:
  %wide.how = zext i32 %how to i64
  call void @k.mask_changed(i64 %wide.how, i64 %signals)
  call void @irsan_note_mask()
  call void @irsan_deliver_if_due()
  br label %done
done:
  ret void
}

define i32 @irsan_pthread_sigmask(i32 %how, ptr %new, ptr %old) {
  %room = alloca %irsan.set
  %before = call i64 @irsan_blocked_segv()
  %signals = call i64 @irsan_signals_of(ptr %new)
  %given = call ptr @irsan_given_mask(i32 %how, ptr %new, ptr %room)
  %result = call i32 @__irsan_real_pthread_sigmask(i32 %how, ptr %given, ptr %old)
  %good = icmp eq i32 %result, 0
  br i1 %good, label %note, label %done
note:
  call void @irsan_mask_given(i32 %how, ptr %given, i64 %signals, ptr %old, i64 %before)
  br label %done
done:
  ret i32 %result
}

define i32 @irsan_sigprocmask(i32 %how, ptr %new, ptr %old) {
  %room = alloca %irsan.set
  %before = call i64 @irsan_blocked_segv()
  %signals = call i64 @irsan_signals_of(ptr %new)
  %given = call ptr @irsan_given_mask(i32 %how, ptr %new, ptr %room)
  %result = call i32 @__irsan_real_sigprocmask(i32 %how, ptr %given, ptr %old)
  %good = icmp eq i32 %result, 0
  br i1 %good, label %note, label %done
note:
  call void @irsan_mask_given(i32 %how, ptr %given, i64 %signals, ptr %old, i64 %before)
  br label %done
done:
  ret i32 %result
}

@constants.NOT_SEGV = external global i8
@constants.SEGV_BIT = external global i8
@ctx.host.in_guest = external global i8
@ctx.signals.masks_used = external global i8
@ctx.thread = external global i8
@libc.SIG_BLOCK = external global i8
@libc.SIG_SETMASK = external global i8
@libc.SIG_UNBLOCK = external global i8
@thread.sigmask = external global i8

declare void @k.mask_changed(i64, i64)
declare i64 @k.pending_signals()
declare i32 @__irsan_real_pthread_sigmask(i32, ptr, ptr)
declare i32 @__irsan_real_sigpending(ptr)
declare i32 @__irsan_real_sigprocmask(i32, ptr, ptr)
declare void @irsan_deliver_if_due()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
