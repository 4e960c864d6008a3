; System calls one after the other, between which nothing but this loop runs.
;
;   irsan_system_calls(rows, n)    a row is eight words: the number of a call, six arguments, and
;                                  the result without which the row behind is passed over (0: none);
;                                  the result takes the place of the number, -1 where there is none
;
; So memory in which Python lies can be copied and replaced by its copy
; (explore/playing/frozen_memory.py).
; Neither errno nor any other variable is written.

define void @irsan_system_calls(ptr %rows, i64 %n) noinline nounwind {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %call
call:
  %row = phi ptr [ %rows, %entry ], [ %behind, %next ]
  %left = phi i64 [ %n, %entry ], [ %fewer, %next ]
  %at.1 = getelementptr i64, ptr %row, i64 1
  %at.2 = getelementptr i64, ptr %row, i64 2
  %at.3 = getelementptr i64, ptr %row, i64 3
  %at.4 = getelementptr i64, ptr %row, i64 4
  %at.5 = getelementptr i64, ptr %row, i64 5
  %at.6 = getelementptr i64, ptr %row, i64 6
  %at.7 = getelementptr i64, ptr %row, i64 7
  %number = load i64, ptr %row
  %a.1 = load i64, ptr %at.1
  %a.2 = load i64, ptr %at.2
  %a.3 = load i64, ptr %at.3
  %a.4 = load i64, ptr %at.4
  %a.5 = load i64, ptr %at.5
  %a.6 = load i64, ptr %at.6
  %result = call i64 asm sideeffect "syscall",
    "={rax},{rax},{rdi},{rsi},{rdx},{r10},{r8},{r9},~{rcx},~{r11},~{memory},~{flags}"(
    i64 %number, i64 %a.1, i64 %a.2, i64 %a.3, i64 %a.4, i64 %a.5, i64 %a.6)
  store i64 %result, ptr %row
  %wanted = load i64, ptr %at.7
  %is.any = icmp eq i64 %wanted, 0
  %is.wanted = icmp eq i64 %wanted, %result
  %goes.on = or i1 %is.any, %is.wanted
  %is.last = icmp eq i64 %left, 1
  %as.told = or i1 %goes.on, %is.last
  %after = getelementptr i64, ptr %row, i64 8
  br i1 %as.told, label %next, label %pass
pass:
  store i64 -1, ptr %after
  br label %next
next:
  %done = phi i64 [ 1, %call ], [ 2, %pass ]
  %distance = shl i64 %done, 3
  %behind = getelementptr i64, ptr %row, i64 %distance
  %fewer = sub i64 %left, %done
  %more = icmp ne i64 %fewer, 0
  br i1 %more, label %call, label %end
end:
  ret void
}
