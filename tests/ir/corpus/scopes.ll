; Target types, scalable vectors, x86_amx, tokens, swifterror, inalloca, attributes with ranges, statepoints.
target triple = "x86_64-unknown-linux-gnu"

%wave = type { target("spirv.Image", void, 1, 1, 0, 0, 0, 0, 0), i32 }
declare target("spirv.Sampler") @sampler()
declare target("aarch64.svcount") @count()
declare void @swifting(ptr swifterror)
declare void @allocated(ptr inalloca(<{ i32, i64 }>))
declare range(i8 -3, 120) i8 @ranged(i64 range(i64 0, 4294967296), i128 range(i128 -18446744073709551616, 36893488147419103232))
declare nofpclass(nan inf) float @classes(float nofpclass(zero sub nnorm), float nofpclass(all))
declare void @captured(ptr captures(address), ptr captures(address_is_null), ptr captures(provenance), ptr captures(address, read_provenance, ret: address, provenance), ptr captures(ret: address_is_null))
declare void @initial(ptr initializes((-4, 0), (4, 8)), ptr dereferenceable(8) dereferenceable_or_null(16) align 4 dead_on_unwind noalias)
declare noalias ptr @allocate(i64, i64 allocalign) #0
declare void @release(ptr allocptr) #1
declare void @memory0() #2
declare void @memory1() #3
declare void @memory2() #4

define void @target_values(ptr %p) {
  %1 = alloca target("aarch64.svcount"), align 2
  %2 = load target("aarch64.svcount"), ptr %1, align 2
  store target("aarch64.svcount") zeroinitializer, ptr %1, align 2
  %3 = call target("aarch64.svcount") @count()
  ret void
}

define <vscale x 8 x i16> @scalable(<vscale x 8 x i16> %v, <vscale x 8 x i1> %m, i16 %x) #5 {
  %1 = insertelement <vscale x 8 x i16> poison, i16 %x, i64 0
  %2 = shufflevector <vscale x 8 x i16> %1, <vscale x 8 x i16> poison, <vscale x 8 x i32> zeroinitializer
  %3 = add nsw <vscale x 8 x i16> %v, %2
  %4 = select <vscale x 8 x i1> %m, <vscale x 8 x i16> %3, <vscale x 8 x i16> splat (i16 3)
  %5 = icmp slt <vscale x 8 x i16> %4, %v
  %6 = zext <vscale x 8 x i1> %5 to <vscale x 8 x i16>
  ret <vscale x 8 x i16> %6
}

define void @tiles(<256 x i32> %t, ptr %p) {
  %1 = call x86_amx @llvm.x86.cast.vector.to.tile.v256i32(<256 x i32> %t)
  %2 = call <256 x i32> @llvm.x86.cast.tile.to.vector.v256i32(x86_amx %1)
  store <256 x i32> %2, ptr %p
  ret void
}
declare x86_amx @llvm.x86.cast.vector.to.tile.v256i32(<256 x i32>)
declare <256 x i32> @llvm.x86.cast.tile.to.vector.v256i32(x86_amx)

define swiftcc void @errors() {
  %1 = alloca swifterror ptr, align 8
  store ptr null, ptr %1, align 8
  call void @swifting(ptr swifterror %1)
  %2 = alloca inalloca <{ i32, i64 }>, align 4
  call void @allocated(ptr inalloca(<{ i32, i64 }>) %2)
  ret void
}

define void @forward(i1 %c) {
entry:
  br i1 %c, label %loop, label %early
early:
  br label %exit
late:
  %sum = add i32 %value, %other
  br label %exit
loop:
  %value = phi i32 [ 0, %entry ], [ %next, %loop ]
  %other = add i32 %value, 2
  %next = add nuw i32 %value, 1
  %stop = icmp eq i32 %next, 10
  br i1 %stop, label %late, label %loop
exit:
  %out = phi i32 [ 0, %early ], [ %sum, %late ]
  ret void
}

attributes #0 = { allockind("alloc,uninitialized,aligned") allocsize(0,1) "alloc-family"="malloc" }
attributes #1 = { allockind("free") "alloc-family"="malloc" }
attributes #2 = { memory(none) uwtable(sync) nocallback nofree nosync willreturn speculatable }
attributes #3 = { memory(read, inaccessiblemem: none) uwtable hot }
attributes #4 = { memory(write, argmem: readwrite, errnomem: none) optnone noinline }
attributes #5 = { vscale_range(1,16) alignstack=32 sspstrong nounwind }
