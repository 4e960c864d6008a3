; Functions that make threads of the C library's own: clone, and those of GNU's OpenMP library.
;
; They are refused by name; with other arguments the C library's own function is called.  The rest
; of them is native_threads.py.

@irsan_text_clone = private constant [88 x i8] c"clone with CLONE_THREAD: makes a thread that irsan cannot schedule; take pthread_create\00"

@irsan_text_gomp = private constant [217 x i8] c"libgomp.so.1 makes threads that wait by system calls of their own, which irsan cannot schedule; OMP_THREAD_LIMIT=1 runs the loops of OpenMP in one thread, and what is built with irsan-cc -fopenmp takes LLVM's library\00"

define i32 @__interceptor_clone(ptr %a0, ptr %a1, i32 %a2, ptr %a3, ptr %a4, ptr %a5, ptr %a6) {
  %bit = and i32 %a2, ptrtoint (ptr @libc.CLONE_THREAD to i32)
  %runs = icmp ne i32 %bit, 0
  br i1 %runs, label %refuse, label %real
refuse:
  call void @__interceptor_irsan_refuse_native_thread(ptr @irsan_text_clone)
  br label %real
real:
  %r = call i32 (ptr, ptr, i32, ptr, ...) @__irsan_real_clone(ptr %a0, ptr %a1, i32 %a2, ptr %a3,
      ptr %a4, ptr %a5, ptr %a6)
  ret i32 %r
}

define i32 @__interceptor_irsan_create_gomp_thread(ptr %a0, ptr %a1, ptr %a2, ptr %a3) {
  call void @__interceptor_irsan_refuse_native_thread(ptr @irsan_text_gomp)
  ret i32 ptrtoint (ptr @libc.EAGAIN to i32)
}

@libc.CLONE_THREAD = external global i8
@libc.EAGAIN = external global i8

declare void @__interceptor_irsan_refuse_native_thread(ptr)
declare i32 @__irsan_real_clone(ptr, ptr, i32, ptr, ...)
