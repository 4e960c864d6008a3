; The handler of native faults and fatal signals; engine/findings/crash.py has its story.
;
;   irsan_fill_gap    whether a signal was a look at shadow that is not there: of a gap of the
;                     arena, of foreign memory, or of an address of nothing (arena_gaps.py,
;                     shadow_reads.py); the instruction is run again and reads fe
;   irsan_on_crash    the facts go into ctx.crash; the process goes on in irsan_switch_restore on
;                     the host's stack, or runs the instruction again (the guarded pool).  What
;                     another process sends while the host serves an event waits for the guest
;                     to be resumed (ctx.host.sent_...); if it comes again, it ends the process
;
; @irsan_real_... are filled in when the handlers are installed.
;
; Source: Linux's x86-64 `ucontext_t` and `siginfo_t`; sigaction(2).

%irsan.action = type [152 x i8] ; = libc.sizeof struct sigaction

@irsan_real_mprotect = global ptr null

define i1 @irsan_fill_gap(i32 %number, ptr %info, ptr %context) noinline nounwind {
entry:
  %code.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_code to i64)
  %code = load i32, ptr %code.place
  %addr.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_addr to i64)
  %addr = load i64, ptr %addr.place
  %is.segv = icmp eq i32 %number, ptrtoint (ptr @libc.SIGSEGV to i32)
  %is.raised = icmp sgt i32 %code, 0
  %is.fault = and i1 %is.segv, %is.raised
  br i1 %is.fault, label %fault, label %other
fault:
  %is.access = icmp eq i32 %code, ptrtoint (ptr @libc.SEGV_ACCERR to i32)
  %low = sub i64 %addr, ptrtoint (ptr @memory_map.SHADOW_OFFSET to i64)
  %is.low = icmp ult i64 %low, sub (i64 ptrtoint (ptr @memory_map.STACKS_LO to i64),
      i64 ptrtoint (ptr @memory_map.SHADOW_OFFSET to i64))
  %high = sub i64 %addr, ptrtoint (ptr @memory_map.ARENA_HI to i64)
  %is.high = icmp ult i64 %high, sub (i64 ptrtoint (ptr @memory_map.SHADOW_HI to i64),
      i64 ptrtoint (ptr @memory_map.ARENA_HI to i64))
  %is.shadow = or i1 %is.low, %is.high
  %ours = and i1 %is.access, %is.shadow
  br i1 %ours, label %open, label %look
open:
  %is.outer = icmp uge i64 %addr, ptrtoint (ptr @constants.OUTER_SHADOW to i64)
  %mask = select i1 %is.outer, i64 ptrtoint (ptr @constants.GAP_OUTER to i64),
      i64 ptrtoint (ptr @constants.GAP_PAGE to i64)
  %n.bytes = select i1 %is.outer, i64 ptrtoint (ptr @constants.GAP_OUTER_BYTES to i64),
      i64 ptrtoint (ptr @constants.GAP_PAGE_BYTES to i64)
  %page.word = and i64 %addr, %mask
  %page = inttoptr i64 %page.word to ptr
  %mprotect = load ptr, ptr @irsan_real_mprotect
  %status = call i32 %mprotect(ptr %page, i64 %n.bytes, i32 3)
  %done = icmp eq i32 %status, 0
  br i1 %done, label %fill, label %look
fill:
  %at = phi i64 [ 0, %open ], [ %next, %fill ]
  %place = getelementptr i8, ptr %page, i64 %at
  store volatile i64 ptrtoint (ptr @constants.GAP_SHADOW to i64), ptr %place
  %next = add i64 %at, 8
  %more = icmp ult i64 %next, %n.bytes
  br i1 %more, label %fill, label %again
look:
  %context.word = ptrtoint ptr %context to i64
  %word = call i8 @k.redirect_shadow_read(i64 %context.word, i64 %addr)
  %is.redirected = icmp ne i8 %word, 0
  br i1 %is.redirected, label %again, label %other
again:
  ret i1 true
other:
  ret i1 false
}

@irsan_previous_actions = global [65 x %irsan.action] zeroinitializer, align 16
@irsan_real_sigaction = global ptr null
@irsan_real_raise = global ptr null

define void @irsan_on_crash(i32 %number, ptr %info, ptr %context) noinline nounwind {
  %is.gap = call i1 @irsan_fill_gap(i32 %number, ptr %info, ptr %context)
  br i1 %is.gap, label %filled, label %fatal
filled:
  ret void
fatal:
  %inside = load volatile i64, ptr @ctx.host.in_guest
  %ours = icmp ne i64 %inside, 0
  br i1 %ours, label %guest, label %outside
outside:
  %defers = load i64, ptr @ctx.host.defers
  %bit.number = sub i32 %number, 1
  %bit.index = zext i32 %bit.number to i64
  %deferred.bits = lshr i64 ptrtoint (ptr @constants.DEFERRED_SIGNALS to i64), %bit.index
  %deferred = and i64 %deferred.bits, %defers
  %is.kind = icmp ne i64 %deferred, 0
  %code.out.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_code to i64)
  %code.out = load i32, ptr %code.out.place
  %is.other = icmp ne i32 %code.out, ptrtoint (ptr @libc.SI_TKILL to i32)
  %wide.out = zext i32 %number to i64
  %before = load volatile i64, ptr @ctx.host.sent_signal
  %is.first = icmp ne i64 %before, %wide.out
  %may.wait = and i1 %is.kind, %is.other
  %waits = and i1 %may.wait, %is.first
  br i1 %waits, label %defer, label %host
defer:
  %code.out.wide = sext i32 %code.out to i64
  store i64 %code.out.wide, ptr @ctx.host.sent_code
  %pid.out.place = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_pid to i64)
  %pid.out = load i32, ptr %pid.out.place
  %pid.out.wide = zext i32 %pid.out to i64
  store i64 %pid.out.wide, ptr @ctx.host.sent_by
  store volatile i64 %wide.out, ptr @ctx.host.sent_signal
  ret void
guest:
  %number.wide = zext i32 %number to i64
  store i64 %number.wide, ptr @ctx.crash.SIGNAL
  %p.code = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_code to i64)
  %v.code = load i32, ptr %p.code
  %code.wide = sext i32 %v.code to i64
  store i64 %code.wide, ptr @ctx.crash.CODE
  %p.addr = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_addr to i64)
  %v.addr = load i64, ptr %p.addr
  store i64 %v.addr, ptr @ctx.crash.ADDRESS
  %p.r8 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r8 to i64)
  %v.r8 = load i64, ptr %p.r8
  %p.r9 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r9 to i64)
  %v.r9 = load i64, ptr %p.r9
  %p.r10 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r10 to i64)
  %v.r10 = load i64, ptr %p.r10
  %p.r11 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r11 to i64)
  %v.r11 = load i64, ptr %p.r11
  %p.r12 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r12 to i64)
  %v.r12 = load i64, ptr %p.r12
  %p.r13 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r13 to i64)
  %v.r13 = load i64, ptr %p.r13
  %p.r14 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r14 to i64)
  %v.r14 = load i64, ptr %p.r14
  %p.r15 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.r15 to i64)
  %v.r15 = load i64, ptr %p.r15
  %p.rdi = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rdi to i64)
  %v.rdi = load i64, ptr %p.rdi
  %p.rsi = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rsi to i64)
  %v.rsi = load i64, ptr %p.rsi
  %p.rbp = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rbp to i64)
  %v.rbp = load i64, ptr %p.rbp
  %p.rbx = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rbx to i64)
  %v.rbx = load i64, ptr %p.rbx
  %p.rdx = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rdx to i64)
  %v.rdx = load i64, ptr %p.rdx
  %p.rax = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rax to i64)
  %v.rax = load i64, ptr %p.rax
  %p.rcx = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rcx to i64)
  %v.rcx = load i64, ptr %p.rcx
  %p.rsp = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rsp to i64)
  %v.rsp = load i64, ptr %p.rsp
  %p.rip = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.rip to i64)
  %v.rip = load i64, ptr %p.rip
  %p.flags = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.flags to i64)
  %v.flags = load i64, ptr %p.flags
  %p.segments = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.segments to i64)
  %v.segments = load i64, ptr %p.segments
  %p.error = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.error to i64)
  %v.error = load i64, ptr %p.error
  %p.trap = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.trap to i64)
  %v.trap = load i64, ptr %p.trap
  %p.mask = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.mask to i64)
  %v.mask = load i64, ptr %p.mask
  %p.cr2 = getelementptr i8, ptr %context, i64 ptrtoint (ptr @greg.cr2 to i64)
  %v.cr2 = load i64, ptr %p.cr2
  store i64 %v.error, ptr @ctx.crash.ERROR
  store i64 %v.trap, ptr @ctx.crash.TRAP
  store i64 %v.rip, ptr @ctx.crash.RIP
  store i64 %v.flags, ptr @ctx.crash.FLAGS
  store i64 %v.rsp, ptr @ctx.crash.RSP
  store i64 %v.rbp, ptr @ctx.crash.RBP
  store i64 %v.rax, ptr @ctx.crash.REG_RAX
  store i64 %v.rbx, ptr @ctx.crash.REG_RBX
  store i64 %v.rcx, ptr @ctx.crash.REG_RCX
  store i64 %v.rdx, ptr @ctx.crash.REG_RDX
  store i64 %v.rsi, ptr @ctx.crash.REG_RSI
  store i64 %v.rdi, ptr @ctx.crash.REG_RDI
  store i64 %v.rbp, ptr @ctx.crash.REG_RBP
  store i64 %v.rsp, ptr @ctx.crash.REG_RSP
  store i64 %v.r8, ptr @ctx.crash.REG_R8
  store i64 %v.r9, ptr @ctx.crash.REG_R9
  store i64 %v.r10, ptr @ctx.crash.REG_R10
  store i64 %v.r11, ptr @ctx.crash.REG_R11
  store i64 %v.r12, ptr @ctx.crash.REG_R12
  store i64 %v.r13, ptr @ctx.crash.REG_R13
  store i64 %v.r14, ptr @ctx.crash.REG_R14
  store i64 %v.r15, ptr @ctx.crash.REG_R15
  %write.bit = lshr i64 %v.error, 1
  %is.fault = icmp eq i64 %v.trap, ptrtoint (ptr @constants.PAGE_FAULT to i64)
  %bit = and i64 %write.bit, 1
  %write = select i1 %is.fault, i64 %bit, i64 0
  store i64 %write, ptr @ctx.crash.WRITE
  store i64 ptrtoint (ptr @events.CRASH to i64), ptr @ctx.event.number
  %pool.lo = load i64, ptr @ctx.guarded.pool_lo
  %pool.bytes = load i64, ptr @ctx.guarded.pool_bytes
  %pool.offset = sub i64 %v.addr, %pool.lo
  %is.pool = icmp ult i64 %pool.offset, %pool.bytes
  %is.segv = icmp eq i32 %number, ptrtoint (ptr @libc.SIGSEGV to i32)
  %is.raised = icmp sgt i32 %v.code, 0
  %is.real = and i1 %is.segv, %is.raised
  %is.guarded = and i1 %is.pool, %is.real
  br i1 %is.guarded, label %guarded, label %final
guarded:
  call void @__irsan_to_host()
  ret void
final:
  %host.sp = load i64, ptr @ctx.host.sp
  store i64 %host.sp, ptr %p.rsp
  store i64 ptrtoint (ptr @irsan_switch_restore to i64), ptr %p.rip
  %safe.flags = and i64 %v.flags, ptrtoint (ptr @constants.KEPT_FLAGS to i64)
  store i64 %safe.flags, ptr %p.flags
  ret void
host:
  %wide = zext i32 %number to i64
  %old = getelementptr [65 x %irsan.action], ptr @irsan_previous_actions, i64 0, i64 %wide
  %sigaction = load ptr, ptr @irsan_real_sigaction
  %ignored = call i32 %sigaction(i32 %number, ptr %old, ptr null)
  %code.host = getelementptr i8, ptr %info, i64 ptrtoint (ptr @libc.siginfo_t.si_code to i64)
  %code.value = load i32, ptr %code.host
  %sent = icmp sle i32 %code.value, 0
  br i1 %sent, label %again, label %done
again:
  %raise = load ptr, ptr @irsan_real_raise
  %ignored2 = call i32 %raise(i32 %number)
  br label %done
done:
  ret void
}

@constants.DEFERRED_SIGNALS = external global i8
@constants.GAP_OUTER = external global i8
@constants.GAP_OUTER_BYTES = external global i8
@constants.GAP_PAGE = external global i8
@constants.GAP_PAGE_BYTES = external global i8
@constants.GAP_SHADOW = external global i8
@constants.OUTER_SHADOW = external global i8
@constants.KEPT_FLAGS = external global i8
@constants.PAGE_FAULT = external global i8
@ctx.crash.ADDRESS = external global i8
@ctx.crash.CODE = external global i8
@ctx.crash.ERROR = external global i8
@ctx.crash.FLAGS = external global i8
@ctx.crash.RBP = external global i8
@ctx.crash.REG_R10 = external global i8
@ctx.crash.REG_R11 = external global i8
@ctx.crash.REG_R12 = external global i8
@ctx.crash.REG_R13 = external global i8
@ctx.crash.REG_R14 = external global i8
@ctx.crash.REG_R15 = external global i8
@ctx.crash.REG_R8 = external global i8
@ctx.crash.REG_R9 = external global i8
@ctx.crash.REG_RAX = external global i8
@ctx.crash.REG_RBP = external global i8
@ctx.crash.REG_RBX = external global i8
@ctx.crash.REG_RCX = external global i8
@ctx.crash.REG_RDI = external global i8
@ctx.crash.REG_RDX = external global i8
@ctx.crash.REG_RSI = external global i8
@ctx.crash.REG_RSP = external global i8
@ctx.crash.RIP = external global i8
@ctx.crash.RSP = external global i8
@ctx.crash.SIGNAL = external global i8
@ctx.crash.TRAP = external global i8
@ctx.crash.WRITE = external global i8
@ctx.event.number = external global i8
@ctx.guarded.pool_bytes = external global i8
@ctx.guarded.pool_lo = external global i8
@ctx.host.defers = external global i8
@ctx.host.sent_by = external global i8
@ctx.host.sent_code = external global i8
@ctx.host.sent_signal = external global i8
@ctx.host.sp = external global i8
@ctx.host.in_guest = external global i8
@events.CRASH = external global i8
@greg.cr2 = external global i8
@greg.error = external global i8
@greg.flags = external global i8
@greg.mask = external global i8
@greg.r10 = external global i8
@greg.r11 = external global i8
@greg.r12 = external global i8
@greg.r13 = external global i8
@greg.r14 = external global i8
@greg.r15 = external global i8
@greg.r8 = external global i8
@greg.r9 = external global i8
@greg.rax = external global i8
@greg.rbp = external global i8
@greg.rbx = external global i8
@greg.rcx = external global i8
@greg.rdi = external global i8
@greg.rdx = external global i8
@greg.rip = external global i8
@greg.rsi = external global i8
@greg.rsp = external global i8
@greg.segments = external global i8
@greg.trap = external global i8
@libc.SEGV_ACCERR = external global i8
@libc.SIGSEGV = external global i8
@libc.SI_TKILL = external global i8
@libc.siginfo_t.si_addr = external global i8
@libc.siginfo_t.si_code = external global i8
@libc.siginfo_t.si_pid = external global i8
@memory_map.ARENA_HI = external global i8
@memory_map.SHADOW_HI = external global i8
@memory_map.SHADOW_OFFSET = external global i8
@memory_map.STACKS_LO = external global i8

declare void @__irsan_to_host()
declare void @irsan_switch_restore()
declare i8 @k.redirect_shadow_read(i64, i64)
