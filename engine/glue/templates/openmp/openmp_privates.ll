; OpenMP: copies of threadprivate variables that are no thread-locals, and functions of their class.
;
;   __kmpc_threadprivate_register(.., v, constructor, copier, destructor)
;   __kmpc_threadprivate_cached(.., v, size, ..)   the running thread's copy, made at first
;   irsan_omp_end_privates()                       at the program's end: destructors of the copies
;
; A copier is called where there is no constructor.  A class with a count has functions that take
; the count as well.
;
; Source: LLVM's kmp.h for the calls.

define void @__interceptor___kmpc_threadprivate_register(ptr %location, ptr %variable,
    ptr %constructor, ptr %copier, ptr %destructor) uwtable {
  call void @__interceptor___kmpc_threadprivate_register_vec(ptr %location, ptr %variable,
    ptr %constructor, ptr %copier, ptr %destructor, i64 0)
  ret void
}

define void @__interceptor___kmpc_threadprivate_register_vec(ptr %location, ptr %variable,
    ptr %constructor, ptr %copier, ptr %destructor, i64 %count) uwtable {
  %addr = ptrtoint ptr %variable to i64
  %make = ptrtoint ptr %constructor to i64
  %copy = ptrtoint ptr %copier to i64
  %end = ptrtoint ptr %destructor to i64
  %is.first = call i32 @k.omp_register_private(i64 %addr, i64 %make, i64 %copy, i64 %end,
    i64 %count)
  %again = call i1 @irsan_omp_acted()
  %first = icmp ne i32 %is.first, 0
  br i1 %first, label %install, label %done
install:
  %installed = call i32 @__interceptor___cxa_atexit(ptr @irsan_omp_end_privates, ptr null, ptr null)
  br label %done
done:
  ret void
}

define ptr @__interceptor___kmpc_threadprivate_cached(ptr %location, i32 %gtid, ptr %variable,
    i64 %size, ptr %cache) uwtable {
  %addr = ptrtoint ptr %variable to i64
  %own = call i64 @k.omp_own_private(i64 %addr, i64 %size)
  %again = call i1 @irsan_omp_acted()
  %none = icmp eq i64 %own, 0
  br i1 %none, label %make, label %have
have:
  %known = inttoptr i64 %own to ptr
  ret ptr %known
make:
  %made = call i64 @k.omp_new_private(i64 %addr, i64 %size)
  %once.more = call i1 @irsan_omp_acted()
  %copy = inttoptr i64 %made to ptr
  call void @irsan_omp_construct_private(ptr %copy, i64 %addr)
  ret ptr %copy
}

define ptr @__interceptor___kmpc_threadprivate(ptr %location, i32 %gtid, ptr %variable,
    i64 %size) uwtable {
  %copy = call ptr @__interceptor___kmpc_threadprivate_cached(ptr %location, i32 %gtid,
    ptr %variable, i64 %size, ptr null)
  ret ptr %copy
}

%irsan.private = type { ptr, ptr, i64, ptr, ptr, ptr, ptr, i64 }

define void @irsan_omp_construct_private(ptr %copy, i64 %variable) uwtable {
  %class = call i64 @k.omp_class_of(i64 %variable)
  %plain = icmp eq i64 %class, 0
  br i1 %plain, label %done, label %look
look:
  %record = inttoptr i64 %class to ptr
  %functions = load %irsan.private, ptr %record
  %constructor = extractvalue %irsan.private %functions, 4
  %copier = extractvalue %irsan.private %functions, 5
  %count = extractvalue %irsan.private %functions, 7
  %site = load i32, ptr @ctx.site
  %has.constructor = icmp ne ptr %constructor, null
  br i1 %has.constructor, label %construct, label %other
construct:
  %constructed = call ptr %constructor(ptr %copy, i64 %count)
  br label %leave
other:
  %has.copier = icmp ne ptr %copier, null
  br i1 %has.copier, label %duplicate, label %done
duplicate:
  %first = call i64 @k.omp_first_private(i64 %variable)
  %source = inttoptr i64 %first to ptr
  %copied = call ptr %copier(ptr %copy, ptr %source, i64 %count)
  br label %leave
leave:
  store i32 %site, ptr @ctx.site
  br label %done
done:
  ret void
}

define void @irsan_omp_end_privates(ptr %nothing) uwtable {
  br label %next
next:
  %ended = call i64 @k.omp_ended_private()
  %none = icmp eq i64 %ended, 0
  br i1 %none, label %done, label %end
end:
  %record = inttoptr i64 %ended to ptr
  %private = load %irsan.private, ptr %record
  %variable = extractvalue %irsan.private %private, 1
  %copy = extractvalue %irsan.private %private, 3
  %addr = ptrtoint ptr %variable to i64
  %class = call i64 @k.omp_class_of(i64 %addr)
  %class.record = inttoptr i64 %class to ptr
  %functions = load %irsan.private, ptr %class.record
  %destructor = extractvalue %irsan.private %functions, 6
  %count = extractvalue %irsan.private %functions, 7
  call void %destructor(ptr %copy, i64 %count)
  br label %next
done:
  ret void
}

@ctx.site = external global i8

declare i64 @k.omp_class_of(i64)
declare i64 @k.omp_ended_private()
declare i64 @k.omp_first_private(i64)
declare i64 @k.omp_new_private(i64, i64)
declare i64 @k.omp_own_private(i64, i64)
declare i32 @k.omp_register_private(i64, i64, i64, i64, i64)
declare i32 @__interceptor___cxa_atexit(ptr, ptr, ptr)
declare i1 @irsan_omp_acted()
