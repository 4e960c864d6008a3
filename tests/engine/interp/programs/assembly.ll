; Assembly with more memory operands than registers: places in the frame need none.

@form = private constant [6 x i8] c"%llx\0A\00"
declare i32 @printf(ptr, ...)

define void @say(i64 %x) {
  %n = call i32 (ptr, ...) @printf(ptr @form, i64 %x)
  ret void
}

define i64 @sum() {
  %v0 = alloca i64
  %v1 = alloca i64
  %v2 = alloca i64
  %v3 = alloca i64
  %v4 = alloca i64
  %v5 = alloca i64
  %v6 = alloca i64
  %v7 = alloca i64
  %v8 = alloca i64
  %v9 = alloca i64
  %v10 = alloca i64
  %v11 = alloca i64
  %v12 = alloca i64
  %v13 = alloca i64
  store i64 1, ptr %v0
  store i64 3, ptr %v1
  store i64 9, ptr %v2
  store i64 27, ptr %v3
  store i64 81, ptr %v4
  store i64 243, ptr %v5
  store i64 729, ptr %v6
  store i64 2187, ptr %v7
  store i64 6561, ptr %v8
  store i64 19683, ptr %v9
  store i64 59049, ptr %v10
  store i64 177147, ptr %v11
  store i64 531441, ptr %v12
  store i64 1594323, ptr %v13
  call void asm sideeffect "movq $1, %rax\0Aaddq $2, %rax\0Aaddq $3, %rax\0Aaddq $4, %rax\0Aaddq $5, %rax\0Aaddq $6, %rax\0Aaddq $7, %rax\0Aaddq $8, %rax\0Aaddq $9, %rax\0Aaddq $10, %rax\0Aaddq $11, %rax\0Aaddq $12, %rax\0Aaddq $13, %rax\0Amovq %rax, $0\0A", "=*m,*m,*m,*m,*m,*m,*m,*m,*m,*m,*m,*m,*m,*m,~{rax},~{cc}"(ptr elementtype(i64) %v0, ptr elementtype(i64) %v1, ptr elementtype(i64) %v2, ptr elementtype(i64) %v3, ptr elementtype(i64) %v4, ptr elementtype(i64) %v5, ptr elementtype(i64) %v6, ptr elementtype(i64) %v7, ptr elementtype(i64) %v8, ptr elementtype(i64) %v9, ptr elementtype(i64) %v10, ptr elementtype(i64) %v11, ptr elementtype(i64) %v12, ptr elementtype(i64) %v13)
  %l0 = load i64, ptr %v0
  call void @say(i64 %l0)
  %l1 = load i64, ptr %v1
  call void @say(i64 %l1)
  %l2 = load i64, ptr %v2
  call void @say(i64 %l2)
  %l3 = load i64, ptr %v3
  call void @say(i64 %l3)
  %l4 = load i64, ptr %v4
  call void @say(i64 %l4)
  %l5 = load i64, ptr %v5
  call void @say(i64 %l5)
  %l6 = load i64, ptr %v6
  call void @say(i64 %l6)
  %l7 = load i64, ptr %v7
  call void @say(i64 %l7)
  %l8 = load i64, ptr %v8
  call void @say(i64 %l8)
  %l9 = load i64, ptr %v9
  call void @say(i64 %l9)
  %l10 = load i64, ptr %v10
  call void @say(i64 %l10)
  %l11 = load i64, ptr %v11
  call void @say(i64 %l11)
  %l12 = load i64, ptr %v12
  call void @say(i64 %l12)
  %l13 = load i64, ptr %v13
  call void @say(i64 %l13)
  ret i64 %l0
}

define i64 @many() {
  %v0 = alloca i32
  %v1 = alloca i32
  %v2 = alloca i32
  %v3 = alloca i32
  %v4 = alloca i32
  %v5 = alloca i32
  %v6 = alloca i32
  %v7 = alloca i32
  %v8 = alloca i32
  %v9 = alloca i32
  %v10 = alloca i32
  %v11 = alloca i32
  %v12 = alloca i32
  %v13 = alloca i32
  store i32 7, ptr %v0
  store i32 8, ptr %v1
  store i32 9, ptr %v2
  store i32 10, ptr %v3
  store i32 11, ptr %v4
  store i32 12, ptr %v5
  store i32 13, ptr %v6
  store i32 14, ptr %v7
  store i32 15, ptr %v8
  store i32 16, ptr %v9
  store i32 17, ptr %v10
  store i32 18, ptr %v11
  store i32 19, ptr %v12
  store i32 20, ptr %v13
  %got = call i32 asm sideeffect "incl $0\0Aincl $1\0Aincl $2\0Aincl $3\0Aincl $4\0Aincl $5\0Aincl $6\0Aincl $7\0Aincl $8\0Aincl $9\0Aincl $10\0Aincl $11\0Aincl $12\0Amovl $$99, ($15)\0Amovl $0, $14\0A", "=*m,=*m,=*m,=*m,=*m,=*m,=*m,=*m,=*m,=*m,=*m,=*m,=*m,=*m,=&r,r,~{cc}"(ptr elementtype(i32) %v0, ptr elementtype(i32) %v1, ptr elementtype(i32) %v2, ptr elementtype(i32) %v3, ptr elementtype(i32) %v4, ptr elementtype(i32) %v5, ptr elementtype(i32) %v6, ptr elementtype(i32) %v7, ptr elementtype(i32) %v8, ptr elementtype(i32) %v9, ptr elementtype(i32) %v10, ptr elementtype(i32) %v11, ptr elementtype(i32) %v12, ptr elementtype(i32) %v13, ptr %v13)
  %l0 = load i32, ptr %v0
  %w0 = zext i32 %l0 to i64
  call void @say(i64 %w0)
  %l1 = load i32, ptr %v1
  %w1 = zext i32 %l1 to i64
  call void @say(i64 %w1)
  %l2 = load i32, ptr %v2
  %w2 = zext i32 %l2 to i64
  call void @say(i64 %w2)
  %l3 = load i32, ptr %v3
  %w3 = zext i32 %l3 to i64
  call void @say(i64 %w3)
  %l4 = load i32, ptr %v4
  %w4 = zext i32 %l4 to i64
  call void @say(i64 %w4)
  %l5 = load i32, ptr %v5
  %w5 = zext i32 %l5 to i64
  call void @say(i64 %w5)
  %l6 = load i32, ptr %v6
  %w6 = zext i32 %l6 to i64
  call void @say(i64 %w6)
  %l7 = load i32, ptr %v7
  %w7 = zext i32 %l7 to i64
  call void @say(i64 %w7)
  %l8 = load i32, ptr %v8
  %w8 = zext i32 %l8 to i64
  call void @say(i64 %w8)
  %l9 = load i32, ptr %v9
  %w9 = zext i32 %l9 to i64
  call void @say(i64 %w9)
  %l10 = load i32, ptr %v10
  %w10 = zext i32 %l10 to i64
  call void @say(i64 %w10)
  %l11 = load i32, ptr %v11
  %w11 = zext i32 %l11 to i64
  call void @say(i64 %w11)
  %l12 = load i32, ptr %v12
  %w12 = zext i32 %l12 to i64
  call void @say(i64 %w12)
  %l13 = load i32, ptr %v13
  %w13 = zext i32 %l13 to i64
  call void @say(i64 %w13)
  %wide = zext i32 %got to i64
  ret i64 %wide
}

define i32 @main() {
  %a = call i64 @sum()
  call void @say(i64 %a)
  %b = call i64 @many()
  call void @say(i64 %b)
  ret i32 0
}
