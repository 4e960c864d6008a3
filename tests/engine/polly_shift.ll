; ModuleID = 'polly_shift.c'
source_filename = "polly_shift.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@b = internal global [96 x i32] zeroinitializer, align 16, !dbg !0
@a = internal global [97 x i32] zeroinitializer, align 16, !dbg !13
@.str = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1, !dbg !7

; Function Attrs: nofree nounwind uwtable
define dso_local noundef i32 @main(i32 noundef %0, ptr nocapture noundef readnone %1) local_unnamed_addr #0 !dbg !29 {
    #dbg_value(i32 %0, !35, !DIExpression(), !43)
    #dbg_value(ptr %1, !36, !DIExpression(), !43)
    #dbg_value(i64 0, !37, !DIExpression(), !43)
    #dbg_value(i32 0, !39, !DIExpression(), !44)
  br label %5, !dbg !45

3:                                                ; preds = %5
  %4 = icmp sgt i32 %0, 1, !dbg !46
  br i1 %4, label %14, label %16, !dbg !48

5:                                                ; preds = %2, %5
  %6 = phi i64 [ 0, %2 ], [ %12, %5 ]
    #dbg_value(i64 %6, !39, !DIExpression(), !44)
  %7 = trunc i64 %6 to i16, !dbg !49
  %8 = mul nuw nsw i16 %7, 7, !dbg !49
  %9 = urem i16 %8, 5, !dbg !49
  %10 = zext nneg i16 %9 to i32, !dbg !49
  %11 = getelementptr inbounds [96 x i32], ptr @b, i64 0, i64 %6, !dbg !51
  store i32 %10, ptr %11, align 4, !dbg !52, !tbaa !53
  %12 = add nuw nsw i64 %6, 1, !dbg !57
    #dbg_value(i64 %12, !39, !DIExpression(), !44)
  %13 = icmp eq i64 %12, 96, !dbg !58
  br i1 %13, label %3, label %5, !dbg !45, !llvm.loop !59

14:                                               ; preds = %3
  tail call fastcc void @add(ptr noundef nonnull getelementptr inbounds (i8, ptr @a, i64 4), ptr noundef nonnull @a), !dbg !63
  br label %15, !dbg !63

15:                                               ; preds = %16, %14
  br label %21, !dbg !64

16:                                               ; preds = %3
  tail call fastcc void @add(ptr noundef nonnull @a, ptr noundef nonnull @b), !dbg !65
  br label %15

17:                                               ; preds = %21
  %18 = trunc nsw i64 %28 to i32, !dbg !66
  %19 = select i1 %4, i32 0, i32 %18, !dbg !66
  %20 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str, i32 noundef %19), !dbg !67
  ret i32 0, !dbg !68

21:                                               ; preds = %15, %21
  %22 = phi i64 [ %29, %21 ], [ 0, %15 ]
  %23 = phi i64 [ %28, %21 ], [ 0, %15 ]
    #dbg_value(i64 %22, !41, !DIExpression(), !69)
    #dbg_value(i64 %23, !37, !DIExpression(), !43)
  %24 = getelementptr inbounds [97 x i32], ptr @a, i64 0, i64 %22, !dbg !70
  %25 = load i32, ptr %24, align 4, !dbg !70, !tbaa !53
  %26 = sext i32 %25 to i64, !dbg !70
  %27 = add nsw i64 %23, %26, !dbg !72
  %28 = srem i64 %27, 1000, !dbg !73
    #dbg_value(i64 %28, !37, !DIExpression(), !43)
  %29 = add nuw nsw i64 %22, 1, !dbg !74
    #dbg_value(i64 %29, !41, !DIExpression(), !69)
  %30 = icmp eq i64 %29, 96, !dbg !75
  br i1 %30, label %17, label %21, !dbg !64, !llvm.loop !76
}

; Function Attrs: nofree noinline norecurse nosync nounwind memory(argmem: readwrite) uwtable
define internal fastcc void @add(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1) unnamed_addr #1 !dbg !78 {
  %3 = alloca { ptr, ptr }, align 8
    #dbg_value(ptr %0, !87, !DIExpression(), !91)
    #dbg_value(ptr %1, !88, !DIExpression(), !91)
  store ptr %1, ptr %3, align 8
  %4 = getelementptr inbounds i8, ptr %3, i64 8
  store ptr %0, ptr %4, align 8
  call void @GOMP_parallel_loop_runtime_start(ptr nonnull @add_polly_subfn, ptr nonnull %3, i32 0, i64 0, i64 96, i64 1) #4, !dbg !91
  call void @add_polly_subfn(ptr nonnull %3) #4, !dbg !91
  call void @GOMP_parallel_end() #4, !dbg !91
  ret void, !dbg !92
}

; Function Attrs: nofree nounwind
declare !dbg !93 noundef i32 @printf(ptr nocapture noundef readonly, ...) local_unnamed_addr #2

define internal void @add_polly_subfn(ptr %0) #3 {
  %2 = alloca i64, align 8
  %3 = alloca i64, align 8
  %4 = load ptr, ptr %0, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = call i8 @GOMP_loop_runtime_next(ptr nonnull %2, ptr nonnull %3), !dbg !91
  %8 = icmp eq i8 %7, 0
  br i1 %8, label %9, label %24

9:                                                ; preds = %10, %1
  call void @GOMP_loop_end_nowait(), !dbg !91
  ret void

10:                                               ; preds = %13
  %11 = call i8 @GOMP_loop_runtime_next(ptr nonnull %2, ptr nonnull %3), !dbg !91
  %12 = icmp eq i8 %11, 0
  br i1 %12, label %9, label %24

13:                                               ; preds = %24, %13
  %14 = phi i64 [ %25, %24 ], [ %22, %13 ]
  %15 = shl i64 %14, 2
  %16 = getelementptr i8, ptr %4, i64 %15
  %17 = load i32, ptr %16, align 4, !alias.scope !100, !noalias !103
  %18 = mul nsw i32 %17, 3, !dbg !105
  %19 = trunc i64 %14 to i32
  %20 = add nsw i32 %18, %19, !dbg !107
  %21 = getelementptr i8, ptr %6, i64 %15
  store i32 %20, ptr %21, align 4, !alias.scope !103, !noalias !100
  %22 = add nsw i64 %14, 1
  %23 = icmp slt i64 %14, %27
  br i1 %23, label %13, label %10

24:                                               ; preds = %1, %10
  %25 = load i64, ptr %2, align 8
  %26 = load i64, ptr %3, align 8
  %27 = add i64 %26, -1
  br label %13
}

declare i8 @GOMP_loop_runtime_next(ptr, ptr)

declare void @GOMP_loop_end_nowait()

declare void @GOMP_parallel_loop_runtime_start(ptr, ptr, i32, i64, i64, i64)

declare void @GOMP_parallel_end()

attributes #0 = { nofree nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "polly-optimized" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nofree nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { "polly.skip.fn" }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!21, !22, !23, !24, !25, !26, !27}
!llvm.ident = !{!28}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "b", scope: !2, file: !3, line: 5, type: !18, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 19.1.7 (3~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "polly_shift.c", directory: ".", checksumkind: CSK_MD5, checksum: "62d58d512b1aaa146eda23ba25109733")
!4 = !{!5}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!7, !13, !0}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(scope: null, file: !3, line: 19, type: !9, isLocal: true, isDefinition: true)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, size: 32, elements: !11)
!10 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!11 = !{!12}
!12 = !DISubrange(count: 4)
!13 = !DIGlobalVariableExpression(var: !14, expr: !DIExpression())
!14 = distinct !DIGlobalVariable(name: "a", scope: !2, file: !3, line: 5, type: !15, isLocal: true, isDefinition: true)
!15 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 3104, elements: !16)
!16 = !{!17}
!17 = !DISubrange(count: 97)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 3072, elements: !19)
!19 = !{!20}
!20 = !DISubrange(count: 96)
!21 = !{i32 7, !"Dwarf Version", i32 5}
!22 = !{i32 2, !"Debug Info Version", i32 3}
!23 = !{i32 1, !"wchar_size", i32 4}
!24 = !{i32 8, !"PIC Level", i32 2}
!25 = !{i32 7, !"PIE Level", i32 2}
!26 = !{i32 7, !"uwtable", i32 2}
!27 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!28 = !{!"Debian clang version 19.1.7 (3~deb12u1)"}
!29 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 11, type: !30, scopeLine: 11, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !34)
!30 = !DISubroutineType(types: !31)
!31 = !{!5, !5, !32}
!32 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !33, size: 64)
!33 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!34 = !{!35, !36, !37, !39, !41}
!35 = !DILocalVariable(name: "argc", arg: 1, scope: !29, file: !3, line: 11, type: !5)
!36 = !DILocalVariable(name: "argv", arg: 2, scope: !29, file: !3, line: 11, type: !32)
!37 = !DILocalVariable(name: "sum", scope: !29, file: !3, line: 12, type: !38)
!38 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!39 = !DILocalVariable(name: "i", scope: !40, file: !3, line: 13, type: !5)
!40 = distinct !DILexicalBlock(scope: !29, file: !3, line: 13, column: 5)
!41 = !DILocalVariable(name: "i", scope: !42, file: !3, line: 18, type: !5)
!42 = distinct !DILexicalBlock(scope: !29, file: !3, line: 18, column: 5)
!43 = !DILocation(line: 0, scope: !29)
!44 = !DILocation(line: 0, scope: !40)
!45 = !DILocation(line: 13, column: 5, scope: !40)
!46 = !DILocation(line: 14, column: 14, scope: !47)
!47 = distinct !DILexicalBlock(scope: !29, file: !3, line: 14, column: 9)
!48 = !DILocation(line: 14, column: 9, scope: !29)
!49 = !DILocation(line: 13, column: 46, scope: !50)
!50 = distinct !DILexicalBlock(scope: !40, file: !3, line: 13, column: 5)
!51 = !DILocation(line: 13, column: 33, scope: !50)
!52 = !DILocation(line: 13, column: 38, scope: !50)
!53 = !{!54, !54, i64 0}
!54 = !{!"int", !55, i64 0}
!55 = !{!"omnipotent char", !56, i64 0}
!56 = !{!"Simple C/C++ TBAA"}
!57 = !DILocation(line: 13, column: 29, scope: !50)
!58 = !DILocation(line: 13, column: 23, scope: !50)
!59 = distinct !{!59, !45, !60, !61, !62}
!60 = !DILocation(line: 13, column: 48, scope: !40)
!61 = !{!"llvm.loop.mustprogress"}
!62 = !{!"llvm.loop.unroll.disable"}
!63 = !DILocation(line: 15, column: 9, scope: !47)
!64 = !DILocation(line: 18, column: 5, scope: !42)
!65 = !DILocation(line: 17, column: 9, scope: !47)
!66 = !DILocation(line: 19, column: 20, scope: !29)
!67 = !DILocation(line: 19, column: 5, scope: !29)
!68 = !DILocation(line: 20, column: 5, scope: !29)
!69 = !DILocation(line: 0, scope: !42)
!70 = !DILocation(line: 18, column: 46, scope: !71)
!71 = distinct !DILexicalBlock(scope: !42, file: !3, line: 18, column: 5)
!72 = !DILocation(line: 18, column: 44, scope: !71)
!73 = !DILocation(line: 18, column: 52, scope: !71)
!74 = !DILocation(line: 18, column: 29, scope: !71)
!75 = !DILocation(line: 18, column: 23, scope: !71)
!76 = distinct !{!76, !64, !77, !61, !62}
!77 = !DILocation(line: 18, column: 54, scope: !42)
!78 = distinct !DISubprogram(name: "add", scope: !3, file: !3, line: 7, type: !79, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !86)
!79 = !DISubroutineType(types: !80)
!80 = !{null, !81, !83}
!81 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !82)
!82 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!83 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !84)
!84 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !85, size: 64)
!85 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !5)
!86 = !{!87, !88, !89}
!87 = !DILocalVariable(name: "to", arg: 1, scope: !78, file: !3, line: 7, type: !81)
!88 = !DILocalVariable(name: "from", arg: 2, scope: !78, file: !3, line: 7, type: !83)
!89 = !DILocalVariable(name: "i", scope: !90, file: !3, line: 8, type: !5)
!90 = distinct !DILexicalBlock(scope: !78, file: !3, line: 8, column: 5)
!91 = !DILocation(line: 0, scope: !78)
!92 = !DILocation(line: 9, column: 1, scope: !78)
!93 = !DISubprogram(name: "printf", scope: !94, file: !94, line: 356, type: !95, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!94 = !DIFile(filename: "/usr/include/stdio.h", directory: "", checksumkind: CSK_MD5, checksum: "b5a90985555f47bfb88eff5a8f0f5b72")
!95 = !DISubroutineType(types: !96)
!96 = !{!5, !97, null}
!97 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !98)
!98 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !99, size: 64)
!99 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !10)
!100 = !{!101}
!101 = distinct !{!101, !102, !"polly.alias.scope.MemRef0"}
!102 = distinct !{!102, !"polly.alias.scope.domain"}
!103 = !{!104}
!104 = distinct !{!104, !102, !"polly.alias.scope.MemRef1"}
!105 = !DILocation(line: 8, column: 49, scope: !106)
!106 = distinct !DILexicalBlock(scope: !90, file: !3, line: 8, column: 5)
!107 = !DILocation(line: 8, column: 53, scope: !106)
