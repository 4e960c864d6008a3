; Exceptions of the C++ runtime: thrown, cleaned up after, caught by type, by filter, by anything.
@form = private constant [6 x i8] c"%llx\0A\00"
@_ZTIi = external constant ptr
@_ZTIl = external constant ptr
declare i32 @printf(ptr, ...)
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare i32 @__gxx_personality_v0(...)
declare i32 @llvm.eh.typeid.for.p0(ptr)

define void @say(i64 %value) {
  %n = call i32 (ptr, ...) @printf(ptr @form, i64 %value)
  ret void
}

define i64 @throw(i64 %x, i64 %y, i64 %z) {
  switch i64 %x, label %no [ i64 1, label %int
                             i64 2, label %long ]
int:
  %a = call ptr @__cxa_allocate_exception(i64 4)
  store i32 41, ptr %a
  call void @__cxa_throw(ptr %a, ptr @_ZTIi, ptr null)
  unreachable
long:
  %b = call ptr @__cxa_allocate_exception(i64 8)
  store i64 42, ptr %b
  call void @__cxa_throw(ptr %b, ptr @_ZTIl, ptr null)
  unreachable
no:
  %r = add i64 %y, %z
  ret i64 %r
}

define i64 @cleaned(i64 %x) personality ptr @__gxx_personality_v0 {
entry:
  %v = invoke i64 @throw(i64 %x, i64 30, i64 3) to label %fine unwind label %pad
fine:
  %w = phi i64 [ %v, %entry ]
  ret i64 %w
pad:
  %seen = phi i64 [ 77, %entry ]
  %e = landingpad { ptr, i32 } cleanup
  call void @say(i64 %seen)
  resume { ptr, i32 } %e
}

define i64 @caught(i64 %x) personality ptr @__gxx_personality_v0 {
entry:
  %v = invoke i64 @cleaned(i64 %x) to label %fine unwind label %pad
fine:
  ret i64 %v
pad:
  %e = landingpad { ptr, i32 } catch ptr @_ZTIl catch ptr @_ZTIi
  %object = extractvalue { ptr, i32 } %e, 0
  %selector = extractvalue { ptr, i32 } %e, 1
  %int = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is.int = icmp eq i32 %selector, %int
  br i1 %is.int, label %as.int, label %as.long
as.int:
  %p = call ptr @__cxa_begin_catch(ptr %object)
  %i = load i32, ptr %p
  call void @__cxa_end_catch()
  %i.w = zext i32 %i to i64
  ret i64 %i.w
as.long:
  %q = call ptr @__cxa_begin_catch(ptr %object)
  %l = load i64, ptr %q
  call void @__cxa_end_catch()
  %l.w = add i64 %l, 1000
  ret i64 %l.w
}

define i64 @anything(i64 %x) personality ptr @__gxx_personality_v0 {
  %v = invoke i64 @throw(i64 %x, i64 1, i64 1) to label %fine unwind label %pad
fine:
  ret i64 %v
pad:
  %e = landingpad { ptr, i32 } filter [1 x ptr] [ptr @_ZTIl] catch ptr null
  %object = extractvalue { ptr, i32 } %e, 0
  %selector = extractvalue { ptr, i32 } %e, 1
  %is.filter = icmp slt i32 %selector, 0
  %p = call ptr @__cxa_begin_catch(ptr %object)
  call void @__cxa_end_catch()
  %r = select i1 %is.filter, i64 500, i64 600
  ret i64 %r
}

define i64 @assembly(i64 %x) personality ptr @__gxx_personality_v0 {
  %v = invoke i64 asm sideeffect "leaq 5($1), $0", "=r,r"(i64 %x) to label %fine unwind label %pad
fine:
  ret i64 %v
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

define i32 @main() {
  %a = call i64 @caught(i64 0)
  call void @say(i64 %a)
  %b = call i64 @caught(i64 1)
  call void @say(i64 %b)
  %c = call i64 @caught(i64 2)
  call void @say(i64 %c)
  %d = call i64 @anything(i64 1)
  call void @say(i64 %d)
  %e = call i64 @anything(i64 2)
  call void @say(i64 %e)
  %f = call i64 @assembly(i64 2)
  call void @say(i64 %f)
  ret i32 0
}
