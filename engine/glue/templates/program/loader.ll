; What the program is to the system's loader, and libraries that it opens itself.
;
;   dl_iterate_phdr       shows the program first: its description is at ctx.outside[PROGRAM_INFO]
;                         (engine/guest/program_symbols.py); native unwinders call the C library's
;                         function, which does not know of the program
;   irsan_dlopen          a library with IR is linked by the host (engine/run/opened_libraries.py),
;                         then its constructors run here, in the guest; any other is the loader's
;   dlclose               destructors of a library with IR run here, then the host takes it away
;
; The host answers to an opened library 0: not ours, 1: refused, else the handle; to a closed one
; -1: not ours, else how many opens are left.  A constructor gets argc, argv and envp, as from the
; system's loader.

define i32 @__interceptor_dl_iterate_phdr(ptr %callback, ptr %data) {
  %info = load ptr, ptr @ctx.outside.program_info
  %unknown = icmp eq ptr %info, null
  br i1 %unknown, label %native, label %ask
ask:
  %answer = call i32 %callback(ptr %info,
      i64 ptrtoint (ptr @"libc.sizeof struct dl_phdr_info" to i64), ptr %data)
  %goes.on = icmp eq i32 %answer, 0
  br i1 %goes.on, label %native, label %done
native:
  %found = call i32 @__irsan_real_dl_iterate_phdr(ptr %callback, ptr %data)
  ret i32 %found
done:
  ret i32 %answer
}

define ptr @irsan_dlopen(ptr %path, i32 %flags) {
  %handle = call i64 @__interceptor_irsan_open_library(ptr %path, i32 %flags)
  switch i64 %handle, label %start [ i64 0, label %native i64 1, label %refused ]
native:
  %found = call ptr @__irsan_real_dlopen(ptr %path, i32 %flags)
  ret ptr %found
refused:
  ret ptr null
start:
  %argc.word = load i64, ptr @ctx.program.argc
  %argc = trunc i64 %argc.word to i32
  %argv = load ptr, ptr @ctx.program.argv
  %envp = load ptr, ptr @ctx.program.envp
  br label %loop
loop:
  %next = call i64 @__interceptor_irsan_next_constructor(i64 %handle)
  %is.last = icmp eq i64 %next, 0
  br i1 %is.last, label %opened, label %construct
construct:
  %constructor = inttoptr i64 %next to ptr
  call void %constructor(i32 %argc, ptr %argv, ptr %envp)
  br label %loop
opened:
  %result = inttoptr i64 %handle to ptr
  ret ptr %result
}

define i32 @__interceptor_dlclose(ptr %handle) {
  %word = ptrtoint ptr %handle to i64
  %left = call i64 @__interceptor_irsan_close_library(i64 %word)
  switch i64 %left, label %kept [ i64 -1, label %native i64 0, label %loop ]
native:
  %found = call i32 @__irsan_real_dlclose(ptr %handle)
  ret i32 %found
loop:
  call void @irsan_run_destructors(ptr %handle)
  call void @__interceptor_irsan_unload_library(i64 %word)
  ret i32 0
kept:
  ret i32 0
}

define void @irsan_run_destructors(ptr %handle) {
entry:
  %word = ptrtoint ptr %handle to i64
  br label %loop
loop:
  %next = call i64 @__interceptor_irsan_next_destructor(i64 %word)
  %is.last = icmp eq i64 %next, 0
  br i1 %is.last, label %done, label %destroy
destroy:
  %argument = load i64, ptr @ctx.event.args.0
  %destructor = inttoptr i64 %next to ptr
  call void %destructor(i64 %argument)
  br label %loop
done:
  ret void
}

@ctx.event.args.0 = external global i8
@ctx.outside.program_info = external global i8
@ctx.program.argc = external global i8
@ctx.program.argv = external global i8
@ctx.program.envp = external global i8
@"libc.sizeof struct dl_phdr_info" = external global i8

declare i64 @__interceptor_irsan_close_library(i64)
declare i64 @__interceptor_irsan_next_constructor(i64)
declare i64 @__interceptor_irsan_next_destructor(i64)
declare i64 @__interceptor_irsan_open_library(ptr, i32)
declare void @__interceptor_irsan_unload_library(i64)
declare i32 @__irsan_real_dl_iterate_phdr(ptr, ptr)
declare i32 @__irsan_real_dlclose(ptr)
declare ptr @__irsan_real_dlopen(ptr, i32)
