; OpenMP as GCC and Polly call it: regions, barriers, what combines a construct with one.
;
;   irsan_gomp_start(f, data, n, loop..., reduced)    fork; thread 0 goes on behind the call
;   irsan_gomp_region(...)                            the same, thread 0's part, and the end
;   irsan_gomp_part                                   what the other threads run
;   irsan_gomp_loop, irsan_gomp_doacross              a loop begins, with all that it may have
;
; Loops of each schedule: engine/glue/gomp.py.  Kernels: interceptors/openmp/gomp_*.py.
;
; Source: GCC's libgomp_g.h for the calls.

define void @irsan_gomp_part(ptr %gtid, ptr %bound, ptr %function, ptr %data, i64 %kind,
    i64 %lower, i64 %stop, i64 %step, i64 %chunk, i64 %reduced) uwtable {
  call void @k.gomp_begin_part(i64 %kind, i64 %lower, i64 %stop, i64 %step, i64 %chunk,
    i64 %reduced)
  call void %function(ptr %data)
  %plain = icmp eq i64 %reduced, 0
  br i1 %plain, label %done, label %end
end:
  call void @irsan_omp_end_group()
  br label %done
done:
  ret void
}

define i64 @irsan_gomp_start(ptr %function, ptr %data, i32 %n, i64 %kind, i64 %lower, i64 %stop,
    i64 %step, i64 %chunk, ptr %reduced) uwtable {
  %words = alloca [8 x i64], align 16
  %at.data = getelementptr i64, ptr %words, i64 1
  %at.kind = getelementptr i64, ptr %words, i64 2
  %at.lower = getelementptr i64, ptr %words, i64 3
  %at.stop = getelementptr i64, ptr %words, i64 4
  %at.step = getelementptr i64, ptr %words, i64 5
  %at.chunk = getelementptr i64, ptr %words, i64 6
  %at.reduced = getelementptr i64, ptr %words, i64 7
  store ptr %function, ptr %words
  store ptr %data, ptr %at.data
  store i64 %kind, ptr %at.kind
  store i64 %lower, ptr %at.lower
  store i64 %stop, ptr %at.stop
  store i64 %step, ptr %at.step
  store i64 %chunk, ptr %at.chunk
  store ptr %reduced, ptr %at.reduced
  %site = load i32, ptr @ctx.site
  %addr = ptrtoint ptr %words to i64
  %routine = ptrtoint ptr @irsan_gomp_part to i64
  %team = call i64 @k.gomp_fork(i64 %routine, i32 %n, i64 %addr)
  %again = call i1 @irsan_omp_acted()
  %list = ptrtoint ptr %reduced to i64
  call void @k.gomp_begin_part(i64 %kind, i64 %lower, i64 %stop, i64 %step, i64 %chunk, i64 %list)
  store i32 %site, ptr @ctx.site
  ret i64 %team
}

define void @__interceptor_GOMP_parallel_end() uwtable {
  %team = call i64 @k.own_team()
  %words = call i64 @k.gomp_words(i64 %team)
  call void @irsan_omp_end_region(i64 %team)
  call void @k.gomp_drop_words(i64 %words)
  ret void
}

define void @irsan_gomp_region(ptr %function, ptr %data, i32 %n, i64 %kind, i64 %lower, i64 %stop,
    i64 %step, i64 %chunk) uwtable {
  %site = load i32, ptr @ctx.site
  %team = call i64 @irsan_gomp_start(ptr %function, ptr %data, i32 %n, i64 %kind, i64 %lower,
    i64 %stop, i64 %step, i64 %chunk, ptr null)
  call void %function(ptr %data)
  store i32 %site, ptr @ctx.site
  call void @__interceptor_GOMP_parallel_end()
  ret void
}

define void @__interceptor_GOMP_parallel_start(ptr %function, ptr %data, i32 %n) uwtable {
  %team = call i64 @irsan_gomp_start(ptr %function, ptr %data, i32 %n, i64 0, i64 0, i64 0, i64 0,
    i64 0, ptr null)
  ret void
}

define void @__interceptor_GOMP_parallel(ptr %function, ptr %data, i32 %n, i32 %flags) uwtable {
  call void @irsan_gomp_region(ptr %function, ptr %data, i32 %n, i64 0, i64 0, i64 0, i64 0, i64 0)
  ret void
}

define void @__interceptor_GOMP_parallel_sections_start(ptr %function, ptr %data, i32 %n,
    i32 %count) uwtable {
  %wide = zext i32 %count to i64
  %stop = add i64 %wide, 1
  %team = call i64 @irsan_gomp_start(ptr %function, ptr %data, i32 %n,
    i64 ptrtoint (ptr @openmp_records.DYNAMIC to i64), i64 1, i64 %stop, i64 1, i64 1, ptr null)
  ret void
}

define void @__interceptor_GOMP_parallel_sections(ptr %function, ptr %data, i32 %n, i32 %count,
    i32 %flags) uwtable {
  %wide = zext i32 %count to i64
  %stop = add i64 %wide, 1
  call void @irsan_gomp_region(ptr %function, ptr %data, i32 %n,
    i64 ptrtoint (ptr @openmp_records.DYNAMIC to i64), i64 1, i64 %stop, i64 1, i64 1)
  ret void
}

define i32 @__interceptor_GOMP_parallel_reductions(ptr %function, ptr %data, i32 %n,
    i32 %flags) uwtable {
  %site = load i32, ptr @ctx.site
  %list = load ptr, ptr %data
  %team = call i64 @irsan_gomp_start(ptr %function, ptr %data, i32 %n, i64 0, i64 0, i64 0, i64 0,
    i64 0, ptr %list)
  call void %function(ptr %data)
  store i32 %site, ptr @ctx.site
  call void @irsan_omp_end_group()
  %count = call i32 @__interceptor_omp_get_num_threads()
  call void @__interceptor_GOMP_parallel_end()
  ret i32 %count
}

define void @__interceptor_GOMP_teams_reg(ptr %function, ptr %data, i32 %n, i32 %limit,
    i32 %flags) uwtable {
  %words = alloca [8 x i64], align 16
  %at.data = getelementptr i64, ptr %words, i64 1
  call void @llvm.memset.p0.i64(ptr %words, i8 0, i64 64, i1 false)
  store ptr %function, ptr %words
  store ptr %data, ptr %at.data
  call void @k.gomp_ask_teams(i32 %n, i32 %limit)
  call void @irsan_omp_region(i64 2, ptr @irsan_gomp_part, i32 8, ptr %words)
  ret void
}

define void @__interceptor_GOMP_barrier() uwtable {
  call void @irsan_omp_barrier()
  ret void
}

define i32 @__interceptor_GOMP_barrier_cancel() uwtable {
  br label %arrive
arrive:
  %generation = call i64 @k.gomp_arrive()
  %again = call i1 @irsan_omp_acted()
  br i1 %again, label %arrive, label %look
look:
  %cancelled = icmp eq i64 %generation, -1
  br i1 %cancelled, label %done, label %wait
wait:
  call void @irsan_omp_wait(i64 ptrtoint (ptr @openmp_records.CANCELLABLE to i64),
    i64 %generation)
  br label %done
done:
  %left = call i32 @k.gomp_left_early(i64 %generation)
  ret i32 %left
}

define void @__interceptor_GOMP_loop_end() uwtable {
  call void @__interceptor_GOMP_loop_end_nowait()
  call void @irsan_omp_barrier()
  ret void
}

define void @__interceptor_GOMP_sections_end() uwtable {
  call void @__interceptor_GOMP_loop_end()
  ret void
}

define i32 @__interceptor_GOMP_loop_end_cancel() uwtable {
  call void @__interceptor_GOMP_loop_end_nowait()
  %all = call i32 @__interceptor_GOMP_barrier_cancel()
  ret i32 %all
}

define i32 @__interceptor_GOMP_sections_end_cancel() uwtable {
  %all = call i32 @__interceptor_GOMP_loop_end_cancel()
  ret i32 %all
}

define ptr @__interceptor_GOMP_single_copy_start() uwtable {
  %mine = call i32 @__interceptor_GOMP_single_start()
  %other = icmp eq i32 %mine, 0
  br i1 %other, label %take, label %own
own:
  ret ptr null
take:
  call void @irsan_omp_barrier()
  %word = call i64 @k.omp_offered()
  %data = inttoptr i64 %word to ptr
  call void @irsan_omp_barrier()
  ret ptr %data
}

define void @__interceptor_GOMP_single_copy_end(ptr %data) uwtable {
  %addr = ptrtoint ptr %data to i64
  call void @k.omp_offer(i32 1, i64 %addr)
  call void @irsan_omp_barrier()
  call void @irsan_omp_barrier()
  ret void
}

define void @irsan_gomp_reduce(ptr %reduced, ptr %memory) uwtable {
  %no.memory = icmp eq ptr %memory, null
  br i1 %no.memory, label %look, label %refuse
refuse:
  %never = call i64 @__interceptor_irsan_gomp_memory()
  br label %look
look:
  %none = icmp eq ptr %reduced, null
  br i1 %none, label %done, label %reduce
reduce:
  %list = ptrtoint ptr %reduced to i64
  call void @k.gomp_reduce_loop(i64 %list)
  br label %done
done:
  ret void
}

define i32 @irsan_gomp_first(ptr %lower, ptr %stop) uwtable {
  %none = icmp eq ptr %lower, null
  br i1 %none, label %alone, label %next
alone:
  ret i32 1
next:
  %found = call i32 @__interceptor_GOMP_loop_static_next(ptr %lower, ptr %stop)
  ret i32 %found
}

define i32 @irsan_gomp_loop(i64 %from, i64 %to, i64 %step, i64 %signed, i64 %schedule, i64 %chunk,
    ptr %lower, ptr %stop, ptr %reduced, ptr %memory) uwtable {
  %kind = call i64 @k.gomp_kind(i64 %schedule)
  call void @k.gomp_begin_loop(i64 %kind, i64 %from, i64 %to, i64 %step, i64 %chunk, i64 %signed)
  call void @irsan_gomp_reduce(ptr %reduced, ptr %memory)
  %found = call i32 @irsan_gomp_first(ptr %lower, ptr %stop)
  ret i32 %found
}

define i32 @irsan_gomp_doacross(i32 %n, ptr %counts, i64 %kind, i64 %chunk, ptr %lower, ptr %stop,
    ptr %reduced, ptr %memory) uwtable {
  %addr = ptrtoint ptr %counts to i64
  %nest = call i64 @k.gomp_begin_doacross(i32 %n, i64 %addr, i64 %kind, i64 %chunk)
  %none = icmp eq i64 %nest, 0
  br i1 %none, label %refuse, label %go
refuse:
  %never = call i64 @__interceptor_irsan_big_doacross()
  br label %go
go:
  call void @irsan_gomp_reduce(ptr %reduced, ptr %memory)
  %found = call i32 @irsan_gomp_first(ptr %lower, ptr %stop)
  ret i32 %found
}

define i32 @__interceptor_GOMP_sections2_start(i32 %count, ptr %reduced, ptr %memory) uwtable {
  call void @k.gomp_begin_sections(i32 %count)
  call void @irsan_gomp_reduce(ptr %reduced, ptr %memory)
  %first = call i32 @__interceptor_GOMP_sections_next()
  ret i32 %first
}

define void @__interceptor_GOMP_workshare_task_reduction_unregister(i32 %cancelled) uwtable {
  %list = call i64 @k.gomp_loop_reduced()
  call void @irsan_omp_end_group()
  %other = icmp eq i64 %list, 0
  br i1 %other, label %wait, label %free
free:
  call void @k.gomp_unregister(i64 %list)
  %again = call i1 @irsan_omp_acted()
  br label %wait
wait:
  %left = and i32 %cancelled, 255
  %whole = icmp eq i32 %left, 0
  br i1 %whole, label %barrier, label %done
barrier:
  call void @irsan_omp_barrier()
  br label %done
done:
  ret void
}

define void @__interceptor_GOMP_doacross_wait(i64 %first, ...) uwtable {
  %list = alloca [24 x i8], align 16
  %count = call i32 @k.gomp_dimensions()
  %counters = alloca i64, i32 %count, align 16
  store i64 %first, ptr %counters
  %more = getelementptr i64, ptr %counters, i64 1
  %others = sub i32 %count, 1
  call void @llvm.va_start.p0(ptr %list)
  call void @irsan_omp_take_words(ptr %list, i32 %others, ptr %more)
  call void @__interceptor___kmpc_doacross_wait(ptr null, i32 0, ptr %counters)
  ret void
}

define void @__interceptor_GOMP_doacross_ull_wait(i64 %first, ...) uwtable {
  %list = alloca [24 x i8], align 16
  %count = call i32 @k.gomp_dimensions()
  %counters = alloca i64, i32 %count, align 16
  store i64 %first, ptr %counters
  %more = getelementptr i64, ptr %counters, i64 1
  %others = sub i32 %count, 1
  call void @llvm.va_start.p0(ptr %list)
  call void @irsan_omp_take_words(ptr %list, i32 %others, ptr %more)
  call void @__interceptor___kmpc_doacross_wait(ptr null, i32 0, ptr %counters)
  ret void
}

@ctx.site = external global i8
@openmp_records.CANCELLABLE = external global i8
@openmp_records.DYNAMIC = external global i8

declare i64 @k.gomp_arrive()
declare void @k.gomp_ask_teams(i32, i32)
declare i64 @k.gomp_begin_doacross(i32, i64, i64, i64)
declare void @k.gomp_begin_loop(i64, i64, i64, i64, i64, i64)
declare void @k.gomp_begin_part(i64, i64, i64, i64, i64, i64)
declare void @k.gomp_begin_sections(i32)
declare i32 @k.gomp_dimensions()
declare void @k.gomp_drop_words(i64)
declare i64 @k.gomp_fork(i64, i32, i64)
declare i64 @k.gomp_kind(i64)
declare i32 @k.gomp_left_early(i64)
declare i64 @k.gomp_loop_reduced()
declare void @k.gomp_reduce_loop(i64)
declare void @k.gomp_unregister(i64)
declare i64 @k.gomp_words(i64)
declare void @k.omp_offer(i32, i64)
declare i64 @k.omp_offered()
declare i64 @k.own_team()
declare void @__interceptor_GOMP_loop_end_nowait()
declare i32 @__interceptor_GOMP_loop_static_next(ptr, ptr)
declare i32 @__interceptor_GOMP_sections_next()
declare i32 @__interceptor_GOMP_single_start()
declare void @__interceptor___kmpc_doacross_wait(ptr, i32, ptr)
declare i64 @__interceptor_irsan_big_doacross()
declare i64 @__interceptor_irsan_gomp_memory()
declare i32 @__interceptor_omp_get_num_threads()
declare i1 @irsan_omp_acted()
declare void @irsan_omp_barrier()
declare void @irsan_omp_end_group()
declare void @irsan_omp_end_region(i64)
declare void @irsan_omp_region(i64, ptr, i32, ptr)
declare void @irsan_omp_take_words(ptr, i32, ptr)
declare void @irsan_omp_wait(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.va_start.p0(ptr)
