; OpenMP: copies on the host that may be deferred, as tasks of their own.
;
;   omp_target_memcpy_async(..., n, list)    a task that calls omp_target_memcpy
;   __kmpc_omp_target_task_alloc(...)        a target region with nowait: a task
;
; A word of the list is the address of a dependence object: how many entries it has is 24 bytes
; before the first.  What a task needs is behind its record, as what a region of the program shares.
;
; Source: OpenMP 5.2, section 18.8; LLVM's kmp.h for the records of tasks and of dependences.

define ptr @irsan_omp_new_copy(ptr %routine) uwtable {
  %gtid = call i32 @k.i_kmpc_global_thread_num(i64 0)
  %block = call ptr @__interceptor___kmpc_omp_task_alloc(ptr null, i32 %gtid, i32 1, i64 40, i64 88,
    ptr %routine)
  ret ptr %block
}

define void @irsan_omp_begin_copy(ptr %block, i32 %count, ptr %list) uwtable {
  %addr = ptrtoint ptr %block to i64
  br label %next
next:
  %index = phi i32 [ 0, %0 ], [ %following, %note ]
  %more = icmp slt i32 %index, %count
  br i1 %more, label %note, label %submit
note:
  %place = getelementptr ptr, ptr %list, i32 %index
  %object = load ptr, ptr %place
  %head = getelementptr i8, ptr %object, i64 -24
  %entries = load i64, ptr %head
  %n = trunc i64 %entries to i32
  %infos = ptrtoint ptr %object to i64
  call void @k.omp_note_depends(i64 %addr, i32 %n, i64 %infos)
  %following = add i32 %index, 1
  br label %next
submit:
  call void @irsan_omp_submit(ptr %block)
  ret void
}

%irsan.copy = type { ptr, ptr, i64, i64, i64, i32, i32 }

define i32 @irsan_omp_copy(i32 %gtid, ptr %block) uwtable {
  %words = load ptr, ptr %block
  %copy = load %irsan.copy, ptr %words
  %target = extractvalue %irsan.copy %copy, 0
  %source = extractvalue %irsan.copy %copy, 1
  %size = extractvalue %irsan.copy %copy, 2
  %target.offset = extractvalue %irsan.copy %copy, 3
  %source.offset = extractvalue %irsan.copy %copy, 4
  %result = call i32 @__interceptor_omp_target_memcpy(ptr %target, ptr %source, i64 %size,
    i64 %target.offset, i64 %source.offset, i32 0, i32 0)
  ret i32 0
}

define i32 @__interceptor_omp_target_memcpy_async(ptr %target, ptr %source, i64 %size,
    i64 %target.offset, i64 %source.offset, i32 %target.device, i32 %source.device, i32 %count,
    ptr %list) uwtable {
  %to = ptrtoint ptr %target to i64
  %from = ptrtoint ptr %source to i64
  %good = call i8 @k.omp_may_copy(i64 %to, i64 %from, i32 %target.device, i32 %source.device)
  %bad = icmp eq i8 %good, 0
  br i1 %bad, label %refuse, label %make
refuse:
  ret i32 22
make:
  %block = call ptr @irsan_omp_new_copy(ptr @irsan_omp_copy)
  %words = load ptr, ptr %block
  %copy.0 = insertvalue %irsan.copy zeroinitializer, ptr %target, 0
  %copy.1 = insertvalue %irsan.copy %copy.0, ptr %source, 1
  %copy.2 = insertvalue %irsan.copy %copy.1, i64 %size, 2
  %copy.3 = insertvalue %irsan.copy %copy.2, i64 %target.offset, 3
  %copy.4 = insertvalue %irsan.copy %copy.3, i64 %source.offset, 4
  store %irsan.copy %copy.4, ptr %words
  call void @irsan_omp_begin_copy(ptr %block, i32 %count, ptr %list)
  ret i32 0
}

%irsan.rect = type { ptr, ptr, i64, i32, ptr, ptr, ptr, ptr, ptr }

define i32 @irsan_omp_copy_rect(i32 %gtid, ptr %block) uwtable {
  %words = load ptr, ptr %block
  %rect = load %irsan.rect, ptr %words
  %target = extractvalue %irsan.rect %rect, 0
  %source = extractvalue %irsan.rect %rect, 1
  %element = extractvalue %irsan.rect %rect, 2
  %n = extractvalue %irsan.rect %rect, 3
  %volume = extractvalue %irsan.rect %rect, 4
  %target.offsets = extractvalue %irsan.rect %rect, 5
  %source.offsets = extractvalue %irsan.rect %rect, 6
  %target.sizes = extractvalue %irsan.rect %rect, 7
  %source.sizes = extractvalue %irsan.rect %rect, 8
  %result = call i32 @__interceptor_omp_target_memcpy_rect(ptr %target, ptr %source, i64 %element,
    i32 %n, ptr %volume, ptr %target.offsets, ptr %source.offsets, ptr %target.sizes,
    ptr %source.sizes, i32 0, i32 0)
  ret i32 0
}

define i32 @__interceptor_omp_target_memcpy_rect_async(ptr %target, ptr %source, i64 %element,
    i32 %n, ptr %volume, ptr %target.offsets, ptr %source.offsets, ptr %target.sizes,
    ptr %source.sizes, i32 %target.device, i32 %source.device, i32 %count, ptr %list) uwtable {
  %to = ptrtoint ptr %target to i64
  %from = ptrtoint ptr %source to i64
  %both = or i64 %to, %from
  %asks = icmp eq i64 %both, 0
  br i1 %asks, label %most, label %look
most:
  ret i32 2147483647
look:
  %good = call i8 @k.omp_may_copy(i64 %to, i64 %from, i32 %target.device, i32 %source.device)
  %bad = icmp eq i8 %good, 0
  br i1 %bad, label %refuse, label %make
refuse:
  ret i32 22
make:
  %block = call ptr @irsan_omp_new_copy(ptr @irsan_omp_copy_rect)
  %words = load ptr, ptr %block
  %rect.0 = insertvalue %irsan.rect zeroinitializer, ptr %target, 0
  %rect.1 = insertvalue %irsan.rect %rect.0, ptr %source, 1
  %rect.2 = insertvalue %irsan.rect %rect.1, i64 %element, 2
  %rect.3 = insertvalue %irsan.rect %rect.2, i32 %n, 3
  %rect.4 = insertvalue %irsan.rect %rect.3, ptr %volume, 4
  %rect.5 = insertvalue %irsan.rect %rect.4, ptr %target.offsets, 5
  %rect.6 = insertvalue %irsan.rect %rect.5, ptr %source.offsets, 6
  %rect.7 = insertvalue %irsan.rect %rect.6, ptr %target.sizes, 7
  %rect.8 = insertvalue %irsan.rect %rect.7, ptr %source.sizes, 8
  store %irsan.rect %rect.8, ptr %words
  call void @irsan_omp_begin_copy(ptr %block, i32 %count, ptr %list)
  ret i32 0
}

%irsan.fill = type { ptr, i32, i64, i32 }

define i32 @irsan_omp_fill(i32 %gtid, ptr %block) uwtable {
  %words = load ptr, ptr %block
  %fill = load %irsan.fill, ptr %words
  %target = extractvalue %irsan.fill %fill, 0
  %value = extractvalue %irsan.fill %fill, 1
  %size = extractvalue %irsan.fill %fill, 2
  %device = extractvalue %irsan.fill %fill, 3
  %same = call ptr @__interceptor_omp_target_memset(ptr %target, i32 %value, i64 %size, i32 %device)
  ret i32 0
}

define ptr @__interceptor_omp_target_memset_async(ptr %target, i32 %value, i64 %size, i32 %device,
    i32 %count, ptr %list) uwtable {
  %block = call ptr @irsan_omp_new_copy(ptr @irsan_omp_fill)
  %words = load ptr, ptr %block
  %fill.0 = insertvalue %irsan.fill zeroinitializer, ptr %target, 0
  %fill.1 = insertvalue %irsan.fill %fill.0, i32 %value, 1
  %fill.2 = insertvalue %irsan.fill %fill.1, i64 %size, 2
  %fill.3 = insertvalue %irsan.fill %fill.2, i32 %device, 3
  store %irsan.fill %fill.3, ptr %words
  call void @irsan_omp_begin_copy(ptr %block, i32 %count, ptr %list)
  ret ptr %target
}

define ptr @__interceptor___kmpc_omp_target_task_alloc(ptr %location, i32 %gtid, i32 %flags,
    i64 %size, i64 %shared.size, ptr %routine, i64 %device) uwtable {
  %block = call ptr @__interceptor___kmpc_omp_task_alloc(ptr %location, i32 %gtid, i32 %flags,
    i64 %size, i64 %shared.size, ptr %routine)
  ret ptr %block
}

declare i32 @k.i_kmpc_global_thread_num(i64)
declare i8 @k.omp_may_copy(i64, i64, i32, i32)
declare void @k.omp_note_depends(i64, i32, i64)
declare ptr @__interceptor___kmpc_omp_task_alloc(ptr, i32, i32, i64, i64, ptr)
declare i32 @__interceptor_omp_target_memcpy(ptr, ptr, i64, i64, i64, i32, i32)
declare i32 @__interceptor_omp_target_memcpy_rect(ptr, ptr, i64, i32, ptr, ptr, ptr, ptr, ptr, i32,
  i32)
declare ptr @__interceptor_omp_target_memset(ptr, i32, i64, i32)
declare void @irsan_omp_submit(ptr)
