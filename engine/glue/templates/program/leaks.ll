; Leak searches: whether the program wants one, and where it begins (entries: leaks.py).
;
;   __irsan_wants_leaks         asks the program's own __lsan_is_turned_off, and its suppressions
;   __irsan_search_at_exit      lets the host search once the guest has left
;   __irsan_search_or_end, __irsan_search_and_go_on       behind __lsan_do_(recoverable_)leak_check

define i1 @__irsan_wants_leaks() noinline cold {
  %switch = load ptr, ptr @ctx.leaks.turned_off_function
  %unswitched = icmp eq ptr %switch, null
  br i1 %unswitched, label %on, label %ask
ask:
  %answer = call i32 %switch()
  %is.on = icmp eq i32 %answer, 0
  br i1 %is.on, label %on, label %off
off:
  ret i1 false
on:
  %teller = load ptr, ptr @ctx.leaks.suppressions_function
  %untold = icmp eq ptr %teller, null
  br i1 %untold, label %ready, label %tell
tell:
  %text = call ptr %teller()
  store ptr %text, ptr @ctx.leaks.suppressions_text
  br label %ready
ready:
  ret i1 true
}

define void @__irsan_search_at_exit() noinline cold {
  %asked = load i64, ptr @ctx.leaks.searches_at_exit
  %unasked = icmp eq i64 %asked, 0
  br i1 %unasked, label %done, label %ask
ask:
  %wanted = call i1 @__irsan_wants_leaks()
  %word = zext i1 %wanted to i64
  store i64 %word, ptr @ctx.leaks.is_pending
  br label %done
done:
  ret void
}

define void @__irsan_search_or_end() {
  %wanted = call i1 @__irsan_wants_leaks()
  br i1 %wanted, label %search, label %done
search:
  call void @__interceptor_irsan_do_leak_check()
  br label %done
done:
  ret void
}

define i32 @__irsan_search_and_go_on() {
  %wanted = call i1 @__irsan_wants_leaks()
  br i1 %wanted, label %search, label %done
search:
  %found = call i32 @__interceptor_irsan_do_recoverable_leak_check()
  ret i32 %found
done:
  ret i32 0
}

@ctx.leaks.is_pending = external global i8
@ctx.leaks.searches_at_exit = external global i8
@ctx.leaks.suppressions_function = external global i8
@ctx.leaks.suppressions_text = external global i8
@ctx.leaks.turned_off_function = external global i8

declare void @__interceptor_irsan_do_leak_check()
declare i32 @__interceptor_irsan_do_recoverable_leak_check()
