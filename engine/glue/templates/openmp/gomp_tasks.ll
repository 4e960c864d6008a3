; OpenMP as GCC calls it: tasks whose function takes a pointer to a copy of what they capture.
;
;   irsan_gomp_entry(gtid, block)          the routine of all of them, as clang's tasks have one
;   irsan_gomp_copy(block)                 what a task captures is copied, by the program or here
;   irsan_gomp_duplicate(part, block, last)   a part of a taskloop: its copy, then its bounds
;
; The record of a task: interceptors/openmp/gomp/gomp_tasks.py.
;
; Source: GCC's libgomp_g.h for the calls.

define i32 @irsan_gomp_entry(i32 %gtid, ptr %block) uwtable {
  %at.function = getelementptr i8, ptr %block, i64 40
  %function = load ptr, ptr %at.function
  %data = load ptr, ptr %block
  call void %function(ptr %data)
  ret i32 0
}

define void @irsan_gomp_copy(ptr %block) uwtable {
  %at.copy = getelementptr i8, ptr %block, i64 48
  %at.source = getelementptr i8, ptr %block, i64 56
  %at.size = getelementptr i8, ptr %block, i64 64
  %copy = load ptr, ptr %at.copy
  %source = load ptr, ptr %at.source
  %size = load i64, ptr %at.size
  %place = load ptr, ptr %block
  %empty = icmp eq i64 %size, 0
  br i1 %empty, label %done, label %look
look:
  %plain = icmp eq ptr %copy, null
  br i1 %plain, label %bytes, label %call
bytes:
  %same = call ptr @__interceptor_memcpy(ptr %place, ptr %source, i64 %size)
  br label %done
call:
  call void %copy(ptr %place, ptr %source)
  br label %done
done:
  ret void
}

define void @irsan_gomp_duplicate(ptr %part, ptr %block, i32 %last) uwtable {
  %addr = ptrtoint ptr %part to i64
  %place = call i64 @k.gomp_align_copy(i64 %addr)
  call void @irsan_gomp_copy(ptr %part)
  call void @k.gomp_set_part(i64 %addr)
  %again = call i1 @irsan_omp_acted()
  ret void
}

define ptr @irsan_gomp_make(ptr %function, ptr %data, ptr %copy, i64 %size, i64 %align,
    i32 %flags) uwtable {
  %entry = ptrtoint ptr @irsan_gomp_entry to i64
  %function.addr = ptrtoint ptr %function to i64
  %data.addr = ptrtoint ptr %data to i64
  %copy.addr = ptrtoint ptr %copy to i64
  %addr = call i64 @k.gomp_make_task(i64 %entry, i64 %function.addr, i64 %data.addr,
    i64 %copy.addr, i64 %size, i64 %align, i32 %flags)
  %again = call i1 @irsan_omp_acted()
  %block = inttoptr i64 %addr to ptr
  ret ptr %block
}

define void @irsan_gomp_submit(ptr %block, i32 %count, ptr %infos, i1 %deferred) uwtable {
  br i1 %deferred, label %queue, label %look
queue:
  %ignored = call i32 @__interceptor___kmpc_omp_task_with_deps(ptr null, i32 0, ptr %block,
    i32 %count, ptr %infos, i32 0, ptr null)
  br label %done
look:
  %free = icmp eq i32 %count, 0
  br i1 %free, label %run, label %wait
wait:
  call void @__interceptor___kmpc_omp_wait_deps(ptr null, i32 0, i32 %count, ptr %infos, i32 0,
    ptr null)
  br label %run
run:
  call void @__interceptor___kmpc_omp_task_begin_if0(ptr null, i32 0, ptr %block)
  %result = call i32 @irsan_gomp_entry(i32 0, ptr %block)
  call void @__interceptor___kmpc_omp_task_complete_if0(ptr null, i32 0, ptr %block)
  br label %done
done:
  ret void
}

define void @__interceptor_GOMP_task(ptr %function, ptr %data, ptr %copy, i64 %size, i64 %align,
    i32 %condition, i32 %flags, ptr %depend, i32 %priority, ptr %detach) uwtable {
  %site = load i32, ptr @ctx.site
  %block = call ptr @irsan_gomp_make(ptr %function, ptr %data, ptr %copy, i64 %size, i64 %align,
    i32 %flags)
  %event.bit = and i32 %flags, 8192
  %attached = icmp eq i32 %event.bit, 0
  br i1 %attached, label %fill, label %event
event:
  %addr = ptrtoint ptr %block to i64
  %variable = ptrtoint ptr %detach to i64
  %captured = ptrtoint ptr %data to i64
  call void @k.gomp_tell_event(i64 %addr, i64 %variable, i64 %captured)
  %again = call i1 @irsan_omp_acted()
  br label %fill
fill:
  call void @irsan_gomp_copy(ptr %block)
  store i32 %site, ptr @ctx.site
  %given = and i32 %condition, 255
  %deferred = icmp ne i32 %given, 0
  %depend.bit = and i32 %flags, 8
  %depends = icmp ne i32 %depend.bit, 0
  %list = select i1 %depends, ptr %depend, ptr null
  %list.addr = ptrtoint ptr %list to i64
  %count = call i32 @k.gomp_count_depends(i64 %list.addr)
  %none = icmp eq i32 %count, 0
  br i1 %none, label %plain, label %read
plain:
  call void @irsan_gomp_submit(ptr %block, i32 0, ptr null, i1 %deferred)
  ret void
read:
  %n.words = mul i32 %count, 3
  %infos = alloca i64, i32 %n.words, align 16
  %infos.addr = ptrtoint ptr %infos to i64
  call void @k.gomp_read_depends(i64 %list.addr, i64 %infos.addr)
  call void @irsan_gomp_submit(ptr %block, i32 %count, ptr %infos, i1 %deferred)
  ret void
}

define void @__interceptor_GOMP_taskwait() uwtable {
  %ignored = call i32 @__interceptor___kmpc_omp_taskwait(ptr null, i32 0)
  ret void
}

define void @__interceptor_GOMP_taskwait_depend(ptr %depend) uwtable {
  %list = ptrtoint ptr %depend to i64
  %count = call i32 @k.gomp_count_depends(i64 %list)
  %n.words = mul i32 %count, 3
  %infos = alloca i64, i32 %n.words, align 16
  %infos.addr = ptrtoint ptr %infos to i64
  call void @k.gomp_read_depends(i64 %list, i64 %infos.addr)
  call void @__interceptor___kmpc_omp_wait_deps(ptr null, i32 0, i32 %count, ptr %infos, i32 0,
    ptr null)
  ret void
}

define void @__interceptor_GOMP_taskyield() uwtable {
  %ignored = call i32 @__interceptor___kmpc_omp_taskyield(ptr null, i32 0, i32 0)
  ret void
}

define void @__interceptor_GOMP_taskgroup_end() uwtable {
  call void @irsan_omp_end_group()
  ret void
}

define void @irsan_gomp_taskloop(ptr %function, ptr %data, ptr %copy, i64 %size, i64 %align,
    i32 %flags, i64 %asked, i64 %lower, i64 %stop, i64 %step, i64 %signed) uwtable {
  %no.group = and i32 %flags, 2048
  %is.grouped = icmp eq i32 %no.group, 0
  br i1 %is.grouped, label %group, label %make
group:
  call void @__interceptor_GOMP_taskgroup_start()
  %reduced.bit = and i32 %flags, 4096
  %none = icmp eq i32 %reduced.bit, 0
  br i1 %none, label %make, label %reduce
reduce:
  %at.list = getelementptr i8, ptr %data, i64 16
  %list = load ptr, ptr %at.list
  call void @__interceptor_GOMP_taskgroup_reduction_register(ptr %list)
  br label %make
make:
  %block = call ptr @irsan_gomp_make(ptr %function, ptr %data, ptr %copy, i64 %size, i64 %align,
    i32 %flags)
  %addr = ptrtoint ptr %block to i64
  call void @k.gomp_set_loop(i64 %addr, i64 %lower, i64 %stop, i64 %step, i64 %signed)
  %at.lower = getelementptr i8, ptr %block, i64 80
  %at.upper = getelementptr i8, ptr %block, i64 88
  %condition = and i32 %flags, 1024
  %by.size = and i32 %flags, 512
  %any = icmp eq i64 %asked, 0
  %by.number = icmp eq i32 %by.size, 0
  %given.kind = select i1 %by.number, i32 2, i32 1
  %kind = select i1 %any, i32 0, i32 %given.kind
  call void @irsan_omp_loop(i32 0, ptr %block, i32 %condition, ptr %at.lower, ptr %at.upper,
    i64 %step, i32 %kind, i64 %asked, ptr @irsan_gomp_duplicate)
  br i1 %is.grouped, label %end, label %done
end:
  call void @irsan_omp_end_group()
  br label %done
done:
  ret void
}

define void @__interceptor_GOMP_taskloop(ptr %function, ptr %data, ptr %copy, i64 %size,
    i64 %align, i32 %flags, i64 %asked, i32 %priority, i64 %lower, i64 %stop, i64 %step) uwtable {
  call void @irsan_gomp_taskloop(ptr %function, ptr %data, ptr %copy, i64 %size, i64 %align,
    i32 %flags, i64 %asked, i64 %lower, i64 %stop, i64 %step, i64 1)
  ret void
}

define void @__interceptor_GOMP_taskloop_ull(ptr %function, ptr %data, ptr %copy, i64 %size,
    i64 %align, i32 %flags, i64 %asked, i32 %priority, i64 %lower, i64 %stop, i64 %step) uwtable {
  %signed.step = call i64 @k.gomp_taskloop_step(i32 %flags, i64 %step)
  call void @irsan_gomp_taskloop(ptr %function, ptr %data, ptr %copy, i64 %size, i64 %align,
    i32 %flags, i64 %asked, i64 %lower, i64 %stop, i64 %signed.step, i64 0)
  ret void
}

@ctx.site = external global i8

declare i64 @k.gomp_align_copy(i64)
declare i32 @k.gomp_count_depends(i64)
declare i64 @k.gomp_make_task(i64, i64, i64, i64, i64, i64, i32)
declare void @k.gomp_read_depends(i64, i64)
declare void @k.gomp_set_loop(i64, i64, i64, i64, i64)
declare void @k.gomp_set_part(i64)
declare i64 @k.gomp_taskloop_step(i32, i64)
declare void @k.gomp_tell_event(i64, i64, i64)
declare void @__interceptor_GOMP_taskgroup_reduction_register(ptr)
declare void @__interceptor_GOMP_taskgroup_start()
declare void @__interceptor___kmpc_omp_task_begin_if0(ptr, i32, ptr)
declare void @__interceptor___kmpc_omp_task_complete_if0(ptr, i32, ptr)
declare i32 @__interceptor___kmpc_omp_task_with_deps(ptr, i32, ptr, i32, ptr, i32, ptr)
declare i32 @__interceptor___kmpc_omp_taskwait(ptr, i32)
declare i32 @__interceptor___kmpc_omp_taskyield(ptr, i32, i32)
declare void @__interceptor___kmpc_omp_wait_deps(ptr, i32, i32, ptr, i32, ptr)
declare ptr @__interceptor_memcpy(ptr, ptr, i64)
declare i1 @irsan_omp_acted()
declare void @irsan_omp_end_group()
declare void @irsan_omp_loop(i32, ptr, i32, ptr, ptr, i64, i32, i64, ptr)
