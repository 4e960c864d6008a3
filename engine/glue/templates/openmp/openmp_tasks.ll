; OpenMP: tasks that begin, waits for them, and functions of the program that tasks need.
;
;   irsan_omp_submit(task)           it is queued, or runs at once
;   irsan_omp_end_group()            its tasks are complete, what they have reduced is combined
;   irsan_omp_loop(...)              a task for each part of a taskloop
;
; Source: the calls that clang makes for OpenMP, as LLVM's kmp.h declares them.

define void @irsan_omp_submit(ptr %block) uwtable {
  %addr = ptrtoint ptr %block to i64
  %part = call i32 @k.omp_next_part(i64 %addr)
  switch i32 %part, label %done [
    i32 0, label %submit
    i32 2, label %call
  ]
call:
  %routine.at = getelementptr i8, ptr %block, i64 8
  %routine = load ptr, ptr %routine.at
  %gtid = call i32 @k.i_kmpc_global_thread_num(i64 0)
  %ignored = call i32 %routine(i32 %gtid, ptr %block)
  br label %done
submit:
  %task = call i64 @k.omp_submit(i64 %addr)
  %again = call i1 @irsan_omp_acted()
  %queued = icmp eq i64 %task, 0
  br i1 %queued, label %done, label %run
run:
  call void @irsan_omp_run_task(i64 %task)
  br label %done
done:
  ret void
}

define i32 @__interceptor___kmpc_omp_task(ptr %location, i32 %gtid, ptr %block) uwtable {
  call void @irsan_omp_submit(ptr %block)
  ret i32 0
}

define i32 @__interceptor___kmpc_omp_task_with_deps(ptr %location, i32 %gtid, ptr %block,
    i32 %count,
    ptr %list, i32 %other.count, ptr %other.list) uwtable {
  %addr = ptrtoint ptr %block to i64
  %infos = ptrtoint ptr %list to i64
  %other.infos = ptrtoint ptr %other.list to i64
  call void @k.omp_note_depends(i64 %addr, i32 %count, i64 %infos)
  call void @k.omp_note_depends(i64 %addr, i32 %other.count, i64 %other.infos)
  call void @irsan_omp_submit(ptr %block)
  ret i32 0
}

define i32 @__interceptor___kmpc_omp_taskwait(ptr %location, i32 %gtid) uwtable {
  call void @irsan_omp_wait(i64 ptrtoint (ptr @openmp_records.TASKWAIT to i64), i64 0)
  ret i32 0
}

define i32 @__interceptor___kmpc_omp_taskyield(ptr %location, i32 %gtid, i32 %end) uwtable {
  %task = call i64 @k.omp_yield_task()
  %again = call i1 @irsan_omp_acted()
  %none = icmp eq i64 %task, 0
  br i1 %none, label %done, label %run
run:
  call void @irsan_omp_run_task(i64 %task)
  br label %done
done:
  ret i32 0
}

define void @__interceptor___kmpc_omp_wait_deps(ptr %location, i32 %gtid, i32 %count, ptr %list,
    i32 %other.count, ptr %other.list) uwtable {
  %infos = ptrtoint ptr %list to i64
  %stand.in = call i64 @k.omp_begin_wait(i32 %count, i64 %infos)
  call void @irsan_omp_wait(i64 ptrtoint (ptr @openmp_records.DEPENDS to i64), i64 %stand.in)
  call void @k.omp_end_wait(i64 %stand.in)
  ret void
}

define void @__interceptor___kmpc_omp_taskwait_deps_51(ptr %location, i32 %gtid, i32 %count,
    ptr %list,
    i32 %other.count, ptr %other.list, i32 %goes.on) uwtable {
  call void @__interceptor___kmpc_omp_wait_deps(ptr %location, i32 %gtid, i32 %count, ptr %list,
    i32 %other.count, ptr %other.list)
  ret void
}

define void @irsan_omp_end_group() uwtable {
  %group = call i64 @k.omp_own_group()
  call void @irsan_omp_wait(i64 ptrtoint (ptr @openmp_records.GROUP to i64), i64 %group)
  br label %next
next:
  %copy = call i64 @k.omp_next_combined(i64 %group)
  %none = icmp eq i64 %copy, 0
  br i1 %none, label %done, label %combine
combine:
  %memory = inttoptr i64 %copy to ptr
  %function = load ptr, ptr @ctx.event.args.0
  %variable = load ptr, ptr @ctx.event.args.1
  %fini = load ptr, ptr @ctx.event.args.2
  call void %function(ptr %variable, ptr %memory)
  %plain = icmp eq ptr %fini, null
  br i1 %plain, label %free, label %end
end:
  call void %fini(ptr %memory)
  br label %free
free:
  call void @k.omp_free_copy(i64 %copy)
  %again = call i1 @irsan_omp_acted()
  br label %next
done:
  call void @k.omp_end_group(i64 %group)
  ret void
}

define void @__interceptor___kmpc_end_taskgroup(ptr %location, i32 %gtid) uwtable {
  call void @irsan_omp_end_group()
  ret void
}

define ptr @__interceptor___kmpc_taskred_modifier_init(ptr %location, i32 %gtid, i32 %is.loop,
    i32 %count,
    ptr %inputs) uwtable {
  call void @__interceptor___kmpc_taskgroup(ptr %location, i32 %gtid)
  %group = call ptr @__interceptor___kmpc_taskred_init(i32 %gtid, i32 %count, ptr %inputs)
  ret ptr %group
}

define void @__interceptor___kmpc_task_reduction_modifier_fini(ptr %location, i32 %gtid,
    i32 %is.loop)
    uwtable {
  call void @irsan_omp_end_group()
  ret void
}

define ptr @__interceptor___kmpc_task_reduction_get_th_data(i32 %gtid, ptr %group,
    ptr %variable) uwtable {
  %group.addr = ptrtoint ptr %group to i64
  %variable.addr = ptrtoint ptr %variable to i64
  %item = call i64 @k.omp_find_reduction(i64 %group.addr, i64 %variable.addr)
  %unknown = icmp eq i64 %item, 0
  br i1 %unknown, label %same, label %find
same:
  ret ptr %variable
find:
  %addr = call i64 @k.omp_reduction_copy(i64 %item)
  %copy = inttoptr i64 %addr to ptr
  %function = load ptr, ptr @ctx.event.args.0
  %original = load ptr, ptr @ctx.event.args.1
  %ready = icmp eq ptr %function, null
  br i1 %ready, label %done, label %make
make:
  call void %function(ptr %copy, ptr %original)
  br label %done
done:
  ret ptr %copy
}

define void @__interceptor___kmpc_taskloop(ptr %location, i32 %gtid, ptr %block, i32 %condition,
    ptr %lower,
    ptr %upper, i64 %step, i32 %no.group, i32 %kind, i64 %asked, ptr %duplicate) uwtable {
  %is.grouped = icmp eq i32 %no.group, 0
  br i1 %is.grouped, label %group, label %parts
group:
  call void @__interceptor___kmpc_taskgroup(ptr %location, i32 %gtid)
  br label %parts
parts:
  call void @irsan_omp_loop(i32 %gtid, ptr %block, i32 %condition, ptr %lower, ptr %upper,
    i64 %step,
    i32 %kind, i64 %asked, ptr %duplicate)
  br i1 %is.grouped, label %end, label %done
end:
  call void @irsan_omp_end_group()
  br label %done
done:
  ret void
}

define void @__interceptor___kmpc_taskloop_5(ptr %location, i32 %gtid, ptr %block, i32 %condition,
    ptr %lower, ptr %upper, i64 %step, i32 %no.group, i32 %kind, i64 %asked, i32 %modifier,
    ptr %duplicate) uwtable {
  call void @__interceptor___kmpc_taskloop(ptr %location, i32 %gtid, ptr %block, i32 %condition,
    ptr %lower,
    ptr %upper, i64 %step, i32 %no.group, i32 %kind, i64 %asked, ptr %duplicate)
  ret void
}

define void @irsan_omp_loop(i32 %gtid, ptr %block, i32 %condition, ptr %lower, ptr %upper,
    i64 %step,
    i32 %kind, i64 %asked, ptr %duplicate) uwtable {
  %pattern = ptrtoint ptr %block to i64
  %lower.at = ptrtoint ptr %lower to i64
  %upper.at = ptrtoint ptr %upper to i64
  %trips = call i64 @k.omp_loop_trips(i64 %lower.at, i64 %upper.at, i64 %step)
  %n = call i64 @k.omp_loop_parts(i64 %trips, i32 %kind, i64 %asked)
  %last = sub i64 %n, 1
  br label %next
next:
  %part = phi i64 [ 0, %0 ], [ %following, %begun ]
  %over = icmp eq i64 %part, %n
  br i1 %over, label %done, label %make
make:
  %addr = call i64 @k.omp_copy_task(i64 %pattern)
  %again = call i1 @irsan_omp_acted()
  call void @k.omp_set_bounds(i64 %addr, i64 %pattern, i64 %lower.at, i64 %upper.at, i64 %step,
    i64 %part, i64 %n, i64 %trips)
  %copy = inttoptr i64 %addr to ptr
  %is.last = icmp eq i64 %part, %last
  %last.flag = zext i1 %is.last to i32
  %plain = icmp eq ptr %duplicate, null
  br i1 %plain, label %begin, label %construct
construct:
  call void %duplicate(ptr %copy, ptr %block, i32 %last.flag)
  br label %begin
begin:
  %is.deferred = icmp ne i32 %condition, 0
  br i1 %is.deferred, label %submit, label %run
submit:
  call void @irsan_omp_submit(ptr %copy)
  br label %begun
run:
  call void @__interceptor___kmpc_omp_task_begin_if0(ptr null, i32 %gtid, ptr %copy)
  %routine.at = getelementptr i8, ptr %copy, i64 8
  %routine = load ptr, ptr %routine.at
  %ignored = call i32 %routine(i32 %gtid, ptr %copy)
  call void @__interceptor___kmpc_omp_task_complete_if0(ptr null, i32 %gtid, ptr %copy)
  br label %begun
begun:
  %following = add i64 %part, 1
  br label %next
done:
  call void @k.omp_drop_pattern(i64 %pattern)
  %freed = call i1 @irsan_omp_acted()
  ret void
}

@ctx.event.args.0 = external global i8
@ctx.event.args.1 = external global i8
@ctx.event.args.2 = external global i8
@openmp_records.DEPENDS = external global i8
@openmp_records.GROUP = external global i8
@openmp_records.TASKWAIT = external global i8

declare i64 @k.omp_begin_wait(i32, i64)
declare i64 @k.omp_copy_task(i64)
declare void @k.omp_drop_pattern(i64)
declare void @k.omp_end_group(i64)
declare void @k.omp_end_wait(i64)
declare i64 @k.omp_find_reduction(i64, i64)
declare void @k.omp_free_copy(i64)
declare i64 @k.omp_loop_parts(i64, i32, i64)
declare i64 @k.omp_loop_trips(i64, i64, i64)
declare i32 @k.i_kmpc_global_thread_num(i64)
declare i64 @k.omp_next_combined(i64)
declare i32 @k.omp_next_part(i64)
declare void @k.omp_note_depends(i64, i32, i64)
declare i64 @k.omp_own_group()
declare i64 @k.omp_reduction_copy(i64)
declare void @k.omp_set_bounds(i64, i64, i64, i64, i64, i64, i64, i64)
declare i64 @k.omp_submit(i64)
declare i64 @k.omp_yield_task()
declare void @__interceptor___kmpc_omp_task_begin_if0(ptr, i32, ptr)
declare void @__interceptor___kmpc_omp_task_complete_if0(ptr, i32, ptr)
declare void @__interceptor___kmpc_taskgroup(ptr, i32)
declare ptr @__interceptor___kmpc_taskred_init(i32, i32, ptr)
declare i1 @irsan_omp_acted()
declare void @irsan_omp_run_task(i64)
declare void @irsan_omp_wait(i64, i64)
