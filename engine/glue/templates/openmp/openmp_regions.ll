; OpenMP: functions of the program that a team runs, and where its threads wait.
;
;   irsan_omp_region(form, f, n, words)    fork, thread 0's part, the barrier at the end, join
;   irsan_omp_worker(member)               the routine of a worker: region after region
;   irsan_omp_wait(kind, goal)             step by step, with tasks of the program in between
;   irsan_omp_run_task(task)               one of them
;   irsan_omp_call(f, a, b, n, words)      f(a, b, words[0], ... words[n - 1]); words has room for 4
;   irsan_omp_acted()                      what a kernel has asked for is done; 1: call it again
;
; How teams, waits and tasks work: interceptors/openmp.
;
; Source: the calls that clang makes for OpenMP, as LLVM's kmp.h declares them; the System V ABI
; for x86-64, section 3.2.3 (arguments in registers, then on the stack).

module asm ".text"
module asm ".p2align 4"
module asm ".globl irsan_omp_call"
module asm ".type irsan_omp_call, @function"
module asm "irsan_omp_call:"
module asm ".cfi_startproc"
module asm "pushq %rbp"
module asm ".cfi_def_cfa_offset 16"
module asm ".cfi_offset %rbp, -16"
module asm "movq %rsp, %rbp"
module asm ".cfi_def_cfa_register %rbp"
module asm "movq %rdi, %r11"
module asm "movq %rsi, %rdi"
module asm "movq %rdx, %rsi"
module asm "movq %r8, %r10"
module asm "subq $4, %rcx"
module asm "jle .Lirsan_omp_registers"
module asm "leaq 1(%rcx), %rax"
module asm "andq $-2, %rax"
module asm "shlq $3, %rax"
module asm "subq %rax, %rsp"
module asm ".Lirsan_omp_word:"
module asm "movq 24(%r10,%rcx,8), %rax"
module asm "movq %rax, -8(%rsp,%rcx,8)"
module asm "subq $1, %rcx"
module asm "jnz .Lirsan_omp_word"
module asm ".Lirsan_omp_registers:"
module asm "movq (%r10), %rdx"
module asm "movq 8(%r10), %rcx"
module asm "movq 16(%r10), %r8"
module asm "movq 24(%r10), %r9"
module asm "xorl %eax, %eax"
module asm "callq *%r11"
module asm "movq %rbp, %rsp"
module asm "popq %rbp"
module asm ".cfi_def_cfa %rsp, 8"
module asm "ret"
module asm ".cfi_endproc"
module asm ".size irsan_omp_call, .-irsan_omp_call"

define i1 @irsan_omp_acted() alwaysinline {
  %action = load i32, ptr @ctx.action
  %quiet = icmp eq i32 %action, 0
  br i1 %quiet, label %done, label %acting
acting:
  %verdict = call i32 @__irsan_act()
  %again = icmp eq i32 %verdict, 1
  ret i1 %again
done:
  ret i1 false
}

define void @irsan_omp_run_task(i64 %task) uwtable {
  %site = load i32, ptr @ctx.site
  call void @k.omp_begin_task(i64 %task)
  store i32 0, ptr @ctx.site
  %gtid = call i32 @k.i_kmpc_global_thread_num(i64 0)
  %routine = call i64 @k.omp_routine_of(i64 %task)
  %skipped = icmp eq i64 %routine, 0
  br i1 %skipped, label %destroy, label %run
run:
  %block = call i64 @k.omp_block_of(i64 %task)
  %function = inttoptr i64 %routine to ptr
  %argument = inttoptr i64 %block to ptr
  %ignored = call i32 %function(i32 %gtid, ptr %argument)
  %part = call i32 @k.omp_goes_on(i64 %task)
  %more = icmp ne i32 %part, 0
  br i1 %more, label %run, label %destroy
destroy:
  %destructors = call i64 @k.omp_destructors_of(i64 %task)
  %none = icmp eq i64 %destructors, 0
  br i1 %none, label %free, label %call
call:
  %captured = call i64 @k.omp_block_of(i64 %task)
  %destructor = inttoptr i64 %destructors to ptr
  %passed = inttoptr i64 %captured to ptr
  %nothing = call i32 %destructor(i32 %gtid, ptr %passed)
  br label %free
free:
  call void @k.omp_free_block(i64 %task)
  %once.more = call i1 @irsan_omp_acted()
  br label %end
end:
  call void @k.omp_end_task(i64 %task)
  %again = call i1 @irsan_omp_acted()
  store i32 %site, ptr @ctx.site
  ret void
}

define void @irsan_omp_wait(i64 %kind, i64 %goal) uwtable {
  br label %step
step:
  %task = call i64 @k.omp_step(i64 %kind, i64 %goal)
  %again = call i1 @irsan_omp_acted()
  br i1 %again, label %step, label %look
look:
  %none = icmp eq i64 %task, 0
  br i1 %none, label %done, label %run
run:
  call void @irsan_omp_run_task(i64 %task)
  br label %step
done:
  ret void
}

define void @irsan_omp_barrier() uwtable {
  br label %arrive
arrive:
  %generation = call i64 @k.omp_arrive()
  %again = call i1 @irsan_omp_acted()
  br i1 %again, label %arrive, label %wait
wait:
  call void @irsan_omp_wait(i64 ptrtoint (ptr @openmp_records.BARRIER to i64), i64 %generation)
  ret void
}

define void @irsan_omp_invoke(i64 %team) uwtable {
  %gtid.place = alloca i32, align 16
  %bound.place = alloca i32, align 16
  %gtid = call i32 @k.i_kmpc_global_thread_num(i64 0)
  store i32 %gtid, ptr %gtid.place
  store i32 0, ptr %bound.place
  %record = inttoptr i64 %team to ptr
  %at.function = getelementptr i8, ptr %record,
    i64 ptrtoint (ptr @openmp_records.MICROTASK_AT to i64)
  %at.count = getelementptr i8, ptr %record,
    i64 ptrtoint (ptr @openmp_records.N_ARGUMENTS_AT to i64)
  %at.words = getelementptr i8, ptr %record, i64 ptrtoint (ptr @openmp_records.ARGUMENTS_AT to i64)
  %function = load ptr, ptr %at.function
  %count = load i64, ptr %at.count
  %words = load ptr, ptr %at.words
  call void @k.omp_show_affinity()
  call void @irsan_omp_call(ptr %function, ptr %gtid.place, ptr %bound.place, i64 %count,
    ptr %words)
  ret void
}

define void @irsan_omp_end_region(i64 %team) uwtable {
  call void @irsan_omp_barrier()
  call void @irsan_omp_wait(i64 ptrtoint (ptr @openmp_records.JOIN to i64), i64 %team)
  call void @k.omp_join(i64 %team)
  ret void
}

define void @irsan_omp_region(i64 %form, ptr %function, i32 %count, ptr %words) uwtable {
  %site = load i32, ptr @ctx.site
  %microtask = ptrtoint ptr %function to i64
  %arguments = ptrtoint ptr %words to i64
  %team = call i64 @k.omp_fork(i64 %form, i64 %microtask, i32 %count, i64 %arguments)
  %again = call i1 @irsan_omp_acted()
  store i32 %site, ptr @ctx.site
  call void @irsan_omp_invoke(i64 %team)
  store i32 %site, ptr @ctx.site
  call void @irsan_omp_end_region(i64 %team)
  ret void
}

define ptr @__irsan_omp_worker(ptr %argument) uwtable {
  %member = ptrtoint ptr %argument to i64
  br label %idle
idle:
  call void @k.omp_idle(i64 %member)
  %again = call i1 @irsan_omp_acted()
  br i1 %again, label %idle, label %begin
begin:
  %team = call i64 @k.omp_begin_worker(i64 %member)
  call void @irsan_omp_invoke(i64 %team)
  call void @irsan_omp_barrier()
  call void @k.omp_end_worker(i64 %member)
  %ended = call i1 @irsan_omp_acted()
  br label %idle
}

define void @__interceptor___kmpc_fork_call(ptr %location, i32 %count, ptr %function, ...) uwtable {
  %list = alloca [24 x i8], align 16
  %enough = icmp sgt i32 %count, 4
  %room.words = select i1 %enough, i32 %count, i32 4
  %words = alloca i64, i32 %room.words, align 16
  call void @llvm.va_start.p0(ptr %list)
  call void @irsan_omp_take_words(ptr %list, i32 %count, ptr %words)
  call void @irsan_omp_region(i64 0, ptr %function, i32 %count, ptr %words)
  ret void
}

define void @__interceptor___kmpc_fork_teams(ptr %location, i32 %count, ptr %function,
    ...) uwtable {
  %list = alloca [24 x i8], align 16
  %enough = icmp sgt i32 %count, 4
  %room.words = select i1 %enough, i32 %count, i32 4
  %words = alloca i64, i32 %room.words, align 16
  call void @llvm.va_start.p0(ptr %list)
  call void @irsan_omp_take_words(ptr %list, i32 %count, ptr %words)
  call void @irsan_omp_region(i64 2, ptr %function, i32 %count, ptr %words)
  ret void
}

define void @__interceptor___kmpc_fork_call_if(ptr %location, i32 %count, ptr %function,
    i32 %is.parallel,
    ptr %argument) uwtable {
  %words = alloca [4 x ptr], align 16
  store ptr %argument, ptr %words
  %serial = icmp eq i32 %is.parallel, 0
  %form = zext i1 %serial to i64
  call void @irsan_omp_region(i64 %form, ptr %function, i32 1, ptr %words)
  ret void
}

define void @irsan_omp_take_words(ptr %list, i32 %count, ptr %words) {
  br label %next
next:
  %index = phi i32 [ 0, %0 ], [ %following, %take ]
  %more = icmp slt i32 %index, %count
  br i1 %more, label %take, label %done
take:
  %word = va_arg ptr %list, i64
  %place = getelementptr i64, ptr %words, i32 %index
  store i64 %word, ptr %place
  %following = add i32 %index, 1
  br label %next
done:
  ret void
}

define void @__interceptor___kmpc_serialized_parallel(ptr %location, i32 %gtid) uwtable {
  %team = call i64 @k.omp_fork(i64 1, i64 0, i32 0, i64 0)
  %again = call i1 @irsan_omp_acted()
  ret void
}

define void @__interceptor___kmpc_end_serialized_parallel(ptr %location, i32 %gtid) uwtable {
  %team = call i64 @k.own_team()
  call void @irsan_omp_end_region(i64 %team)
  ret void
}

define void @__interceptor___kmpc_barrier(ptr %location, i32 %gtid) uwtable {
  call void @irsan_omp_barrier()
  ret void
}

define i32 @__interceptor___kmpc_cancel_barrier(ptr %location, i32 %gtid) uwtable {
  call void @irsan_omp_barrier()
  %cancelled = call i32 @k.omp_cancelled()
  %none = icmp eq i32 %cancelled, 0
  br i1 %none, label %done, label %look
look:
  %whole = icmp eq i32 %cancelled, 1
  br i1 %whole, label %done, label %settle
settle:
  call void @irsan_omp_barrier()
  call void @k.omp_uncancel()
  call void @irsan_omp_barrier()
  br label %done
done:
  %given = icmp ne i32 %cancelled, 0
  %result = zext i1 %given to i32
  ret i32 %result
}

define void @__interceptor___kmpc_end_reduce(ptr %location, i32 %gtid, ptr %lock) uwtable {
  %addr = ptrtoint ptr %lock to i64
  call void @k.omp_end_reduce(i64 %addr)
  %again = call i1 @irsan_omp_acted()
  call void @irsan_omp_barrier()
  ret void
}

define void @__interceptor___kmpc_copyprivate(ptr %location, i32 %gtid, i64 %size, ptr %data,
    ptr %copy,
    i32 %is.mine) uwtable {
  %offered = ptrtoint ptr %data to i64
  call void @k.omp_offer(i32 %is.mine, i64 %offered)
  call void @irsan_omp_barrier()
  %other = icmp eq i32 %is.mine, 0
  br i1 %other, label %take, label %taken
take:
  %word = call i64 @k.omp_offered()
  %source = inttoptr i64 %word to ptr
  call void %copy(ptr %data, ptr %source)
  br label %taken
taken:
  call void @irsan_omp_barrier()
  ret void
}

define ptr @__interceptor___kmpc_copyprivate_light(ptr %location, i32 %gtid, ptr %data) uwtable {
  %offered = ptrtoint ptr %data to i64
  %is.mine = icmp ne ptr %data, null
  %mine = zext i1 %is.mine to i32
  call void @k.omp_offer(i32 %mine, i64 %offered)
  call void @irsan_omp_barrier()
  %word = call i64 @k.omp_offered()
  %source = inttoptr i64 %word to ptr
  ret ptr %source
}

define void @__interceptor___kmpc_doacross_init(ptr %location, i32 %gtid, i32 %count,
    ptr %bounds) uwtable {
  %addr = ptrtoint ptr %bounds to i64
  %nest = call i64 @k.omp_begin_doacross(i32 %count, i64 %addr)
  %none = icmp eq i64 %nest, 0
  br i1 %none, label %refuse, label %done
refuse:
  %never = call i64 @__interceptor_irsan_big_doacross()
  br label %done
done:
  ret void
}

define void @__interceptor___kmpc_error(ptr %location, i32 %severity, ptr %message) uwtable {
  call void @__interceptor_irsan_omp_error(ptr %location, i32 %severity, ptr %message)
  %fatal = icmp eq i32 %severity, 2
  br i1 %fatal, label %end, label %done
end:
  call void @__interceptor_abort()
  br label %done
done:
  ret void
}

@ctx.action = external global i8
@ctx.site = external global i8
@openmp_records.ARGUMENTS_AT = external global i8
@openmp_records.BARRIER = external global i8
@openmp_records.JOIN = external global i8
@openmp_records.MICROTASK_AT = external global i8
@openmp_records.N_ARGUMENTS_AT = external global i8

declare void @k.omp_end_reduce(i64)
declare i32 @k.i_kmpc_global_thread_num(i64)
declare i64 @k.omp_arrive()
declare i64 @k.omp_begin_doacross(i32, i64)
declare void @k.omp_begin_task(i64)
declare i64 @k.omp_begin_worker(i64)
declare i64 @k.omp_block_of(i64)
declare i32 @k.omp_cancelled()
declare i64 @k.omp_destructors_of(i64)
declare void @k.omp_end_task(i64)
declare void @k.omp_end_worker(i64)
declare i64 @k.omp_fork(i64, i64, i32, i64)
declare void @k.omp_free_block(i64)
declare i32 @k.omp_goes_on(i64)
declare void @k.omp_idle(i64)
declare void @k.omp_join(i64)
declare void @k.omp_offer(i32, i64)
declare i64 @k.omp_offered()
declare i64 @k.omp_routine_of(i64)
declare void @k.omp_show_affinity()
declare i64 @k.omp_step(i64, i64)
declare void @k.omp_uncancel()
declare i64 @k.own_team()
declare i32 @__irsan_act()
declare void @__interceptor_abort()
declare i64 @__interceptor_irsan_big_doacross()
declare void @__interceptor_irsan_omp_error(ptr, i32, ptr)
declare void @irsan_omp_call(ptr, ptr, ptr, i64, ptr)
declare void @llvm.va_start.p0(ptr)
