; The loop of operator new: its handler may free memory; without one the form gives up.
;
;   __irsan_refused_new            throws std::bad_alloc, or returns: try again
;   __irsan_refused_nothrow_new    true: try again

define void @__irsan_refused_new() noinline cold {
  %get.handler = load ptr, ptr @ctx.cxx.get_new_handler
  %unknown = icmp eq ptr %get.handler, null
  br i1 %unknown, label %give.up, label %ask
ask:
  %handler = call ptr %get.handler()
  %none = icmp eq ptr %handler, null
  br i1 %none, label %give.up, label %handle
handle:
  call void %handler()
  ret void
give.up:
  %thrower = load ptr, ptr @ctx.cxx.throw_bad_alloc
  call void %thrower()
  unreachable
}

define i1 @__irsan_refused_nothrow_new() noinline cold {
  %get.handler = load ptr, ptr @ctx.cxx.get_new_handler
  %unknown = icmp eq ptr %get.handler, null
  br i1 %unknown, label %give.up, label %ask
ask:
  %handler = call ptr %get.handler()
  %none = icmp eq ptr %handler, null
  br i1 %none, label %give.up, label %handle
handle:
  call void %handler()
  ret i1 true
give.up:
  ret i1 false
}

@ctx.cxx.get_new_handler = external global i8
@ctx.cxx.throw_bad_alloc = external global i8
