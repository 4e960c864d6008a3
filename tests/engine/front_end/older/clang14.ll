; ModuleID = 'threads.cpp'
source_filename = "threads.cpp"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.adder = type { i32 (...)** }
%union.pthread_attr_t = type { i64, [48 x i8] }
%struct.by_one = type { %struct.adder }

$_ZN5adderD2Ev = comdat any

$_ZN6by_one3addEPi = comdat any

$_ZN6by_oneD0Ev = comdat any

$_ZTV6by_one = comdat any

$_ZTS6by_one = comdat any

$_ZTS5adder = comdat any

$_ZTI5adder = comdat any

$_ZTI6by_one = comdat any

@_ZTV6by_one = linkonce_odr dso_local unnamed_addr constant { [5 x i8*] } { [5 x i8*] [i8* null, i8* bitcast ({ i8*, i8*, i8* }* @_ZTI6by_one to i8*), i8* bitcast (void (%struct.by_one*, i32*)* @_ZN6by_one3addEPi to i8*), i8* bitcast (void (%struct.adder*)* @_ZN5adderD2Ev to i8*), i8* bitcast (void (%struct.by_one*)* @_ZN6by_oneD0Ev to i8*)] }, comdat, align 8
@_ZL3one = internal global { i8** } { i8** getelementptr inbounds ({ [5 x i8*] }, { [5 x i8*] }* @_ZTV6by_one, i32 0, inrange i32 0, i32 2) }, align 8, !dbg !0
@_ZL7counter = internal global i32 0, align 4, !dbg !9
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global i8*
@_ZTS6by_one = linkonce_odr dso_local constant [8 x i8] c"6by_one\00", comdat, align 1
@_ZTVN10__cxxabiv117__class_type_infoE = external global i8*
@_ZTS5adder = linkonce_odr dso_local constant [7 x i8] c"5adder\00", comdat, align 1
@_ZTI5adder = linkonce_odr dso_local constant { i8*, i8* } { i8* bitcast (i8** getelementptr inbounds (i8*, i8** @_ZTVN10__cxxabiv117__class_type_infoE, i64 2) to i8*), i8* getelementptr inbounds ([7 x i8], [7 x i8]* @_ZTS5adder, i32 0, i32 0) }, comdat, align 8
@_ZTI6by_one = linkonce_odr dso_local constant { i8*, i8*, i8* } { i8* bitcast (i8** getelementptr inbounds (i8*, i8** @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2) to i8*), i8* getelementptr inbounds ([8 x i8], [8 x i8]* @_ZTS6by_one, i32 0, i32 0), i8* bitcast ({ i8*, i8* }* @_ZTI5adder to i8*) }, comdat, align 8
@llvm.global_ctors = appending global [0 x { i32, void ()*, i8* }] zeroinitializer
@str = private unnamed_addr constant [5 x i8] c"done\00", align 1

; Function Attrs: nounwind uwtable
define linkonce_odr dso_local void @_ZN5adderD2Ev(%struct.adder* noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #0 comdat align 2 !dbg !27 {
  call void @llvm.dbg.value(metadata %struct.adder* %0, metadata !33, metadata !DIExpression()), !dbg !34
  ret void, !dbg !35
}

; Function Attrs: mustprogress uwtable
define dso_local i8* @worker(i8* nocapture readnone %0) #1 !dbg !36 {
  call void @llvm.dbg.value(metadata i8* undef, metadata !41, metadata !DIExpression()), !dbg !44
  call void @llvm.dbg.value(metadata i32 0, metadata !42, metadata !DIExpression()), !dbg !45
  br label %3, !dbg !46

2:                                                ; preds = %3
  ret i8* null, !dbg !47

3:                                                ; preds = %1, %3
  %4 = phi i32 [ 0, %1 ], [ %7, %3 ]
  call void @llvm.dbg.value(metadata i32 %4, metadata !42, metadata !DIExpression()), !dbg !45
  %5 = load void (%struct.adder*, i32*)**, void (%struct.adder*, i32*)*** bitcast ({ i8** }* @_ZL3one to void (%struct.adder*, i32*)***), align 8, !dbg !48, !tbaa !50
  %6 = load void (%struct.adder*, i32*)*, void (%struct.adder*, i32*)** %5, align 8, !dbg !48
  call void %6(%struct.adder* noundef nonnull align 8 dereferenceable(8) bitcast ({ i8** }* @_ZL3one to %struct.adder*), i32* noundef nonnull @_ZL7counter), !dbg !48
  %7 = add nuw nsw i32 %4, 1, !dbg !53
  call void @llvm.dbg.value(metadata i32 %7, metadata !42, metadata !DIExpression()), !dbg !45
  %8 = icmp eq i32 %7, 10, !dbg !54
  br i1 %8, label %2, label %3, !dbg !46, !llvm.loop !55
}

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: mustprogress norecurse uwtable
define dso_local noundef i32 @main() local_unnamed_addr #3 !dbg !59 {
  %1 = alloca i64, align 8
  %2 = bitcast i64* %1 to i8*, !dbg !67
  call void @llvm.lifetime.start.p0i8(i64 8, i8* nonnull %2) #11, !dbg !67
  call void @llvm.dbg.value(metadata i64* %1, metadata !63, metadata !DIExpression(DW_OP_deref)), !dbg !68
  %3 = call i32 @pthread_create(i64* noundef nonnull %1, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef nonnull @worker, i8* noundef null) #11, !dbg !69
  call void @llvm.dbg.value(metadata i8* undef, metadata !41, metadata !DIExpression()), !dbg !70
  call void @llvm.dbg.value(metadata i32 0, metadata !42, metadata !DIExpression()), !dbg !72
  br label %4, !dbg !73

4:                                                ; preds = %4, %0
  %5 = phi i32 [ 0, %0 ], [ %8, %4 ]
  call void @llvm.dbg.value(metadata i32 %5, metadata !42, metadata !DIExpression()), !dbg !72
  %6 = load void (%struct.adder*, i32*)**, void (%struct.adder*, i32*)*** bitcast ({ i8** }* @_ZL3one to void (%struct.adder*, i32*)***), align 8, !dbg !74, !tbaa !50
  %7 = load void (%struct.adder*, i32*)*, void (%struct.adder*, i32*)** %6, align 8, !dbg !74
  call void %7(%struct.adder* noundef nonnull align 8 dereferenceable(8) bitcast ({ i8** }* @_ZL3one to %struct.adder*), i32* noundef nonnull @_ZL7counter), !dbg !74
  %8 = add nuw nsw i32 %5, 1, !dbg !75
  call void @llvm.dbg.value(metadata i32 %8, metadata !42, metadata !DIExpression()), !dbg !72
  %9 = icmp eq i32 %8, 10, !dbg !76
  br i1 %9, label %10, label %4, !dbg !73, !llvm.loop !77

10:                                               ; preds = %4
  %11 = load i64, i64* %1, align 8, !dbg !79, !tbaa !80
  call void @llvm.dbg.value(metadata i64 %11, metadata !63, metadata !DIExpression()), !dbg !68
  %12 = call i32 @pthread_join(i64 noundef %11, i8** noundef null), !dbg !83
  %13 = call i32 @puts(i8* nonnull dereferenceable(1) getelementptr inbounds ([5 x i8], [5 x i8]* @str, i64 0, i64 0)), !dbg !84
  call void @llvm.lifetime.end.p0i8(i64 8, i8* nonnull %2) #11, !dbg !85
  ret i32 0, !dbg !85
}

; Function Attrs: nounwind
declare !dbg !86 i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef) local_unnamed_addr #4

declare !dbg !100 i32 @pthread_join(i64 noundef, i8** noundef) local_unnamed_addr #5

; Function Attrs: mustprogress nounwind uwtable
define linkonce_odr dso_local void @_ZN6by_one3addEPi(%struct.by_one* noundef nonnull align 8 dereferenceable(8) %0, i32* noundef %1) unnamed_addr #6 comdat align 2 !dbg !104 {
  call void @llvm.dbg.value(metadata %struct.by_one* %0, metadata !106, metadata !DIExpression()), !dbg !109
  call void @llvm.dbg.value(metadata i32* %1, metadata !108, metadata !DIExpression()), !dbg !109
  %3 = load i32, i32* %1, align 4, !dbg !110, !tbaa !111
  %4 = add nsw i32 %3, 1, !dbg !110
  store i32 %4, i32* %1, align 4, !dbg !110, !tbaa !111
  ret void, !dbg !113
}

; Function Attrs: inlinehint nounwind uwtable
define linkonce_odr dso_local void @_ZN6by_oneD0Ev(%struct.by_one* noundef nonnull align 8 dereferenceable(8) %0) unnamed_addr #7 comdat align 2 !dbg !114 {
  call void @llvm.dbg.value(metadata %struct.by_one* %0, metadata !119, metadata !DIExpression()), !dbg !120
  %2 = bitcast %struct.by_one* %0 to i8*, !dbg !121
  call void @_ZdlPv(i8* noundef %2) #12, !dbg !121
  ret void, !dbg !121
}

; Function Attrs: nobuiltin nounwind
declare void @_ZdlPv(i8* noundef) local_unnamed_addr #8

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #9

; Function Attrs: nofree nounwind
declare noundef i32 @puts(i8* nocapture noundef readonly) local_unnamed_addr #10

attributes #0 = { nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { argmemonly mustprogress nofree nosync nounwind willreturn }
attributes #3 = { mustprogress norecurse uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { inlinehint nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nobuiltin nounwind "frame-pointer"="none" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #10 = { nofree nounwind }
attributes #11 = { nounwind }
attributes #12 = { builtin nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!20, !21, !22, !23, !24, !25}
!llvm.ident = !{!26}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "one", linkageName: "_ZL3one", scope: !2, file: !3, line: 14, type: !12, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !3, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "threads.cpp", directory: ".", checksumkind: CSK_MD5, checksum: "07876482c76bc99bea432279f4f64855")
!4 = !{!0, !5, !9}
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression())
!6 = distinct !DIGlobalVariable(name: "chosen", linkageName: "_ZL6chosen", scope: !2, file: !3, line: 15, type: !7, isLocal: true, isDefinition: true)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
!8 = !DICompositeType(tag: DW_TAG_structure_type, name: "adder", file: !3, line: 5, size: 64, flags: DIFlagFwdDecl | DIFlagNonTrivial, identifier: "_ZTS5adder")
!9 = !DIGlobalVariableExpression(var: !10, expr: !DIExpression())
!10 = distinct !DIGlobalVariable(name: "counter", linkageName: "_ZL7counter", scope: !2, file: !3, line: 13, type: !11, isLocal: true, isDefinition: true)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "by_one", file: !3, line: 9, size: 64, flags: DIFlagTypePassByReference | DIFlagNonTrivial, elements: !13, vtableHolder: !8, identifier: "_ZTS6by_one")
!13 = !{!14, !15}
!14 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !12, baseType: !8, extraData: i32 0)
!15 = !DISubprogram(name: "add", linkageName: "_ZN6by_one3addEPi", scope: !12, file: !3, line: 10, type: !16, scopeLine: 10, containingType: !12, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!16 = !DISubroutineType(types: !17)
!17 = !{null, !18, !19}
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64)
!20 = !{i32 7, !"Dwarf Version", i32 5}
!21 = !{i32 2, !"Debug Info Version", i32 3}
!22 = !{i32 1, !"wchar_size", i32 4}
!23 = !{i32 7, !"PIC Level", i32 2}
!24 = !{i32 7, !"PIE Level", i32 2}
!25 = !{i32 7, !"uwtable", i32 1}
!26 = !{!"Debian clang version 14.0.6"}
!27 = distinct !DISubprogram(name: "~adder", linkageName: "_ZN5adderD2Ev", scope: !8, file: !3, line: 7, type: !28, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !31, retainedNodes: !32)
!28 = !DISubroutineType(types: !29)
!29 = !{null, !30}
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!31 = !DISubprogram(name: "~adder", scope: !8, file: !3, line: 7, type: !28, scopeLine: 7, containingType: !8, virtualIndex: 0, flags: DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!32 = !{!33}
!33 = !DILocalVariable(name: "this", arg: 1, scope: !27, type: !7, flags: DIFlagArtificial | DIFlagObjectPointer)
!34 = !DILocation(line: 0, scope: !27)
!35 = !DILocation(line: 7, column: 30, scope: !27)
!36 = distinct !DISubprogram(name: "worker", scope: !3, file: !3, line: 17, type: !37, scopeLine: 17, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !40)
!37 = !DISubroutineType(types: !38)
!38 = !{!39, !39}
!39 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!40 = !{!41, !42}
!41 = !DILocalVariable(arg: 1, scope: !36, file: !3, line: 17, type: !39)
!42 = !DILocalVariable(name: "at", scope: !43, file: !3, line: 18, type: !11)
!43 = distinct !DILexicalBlock(scope: !36, file: !3, line: 18, column: 5)
!44 = !DILocation(line: 0, scope: !36)
!45 = !DILocation(line: 0, scope: !43)
!46 = !DILocation(line: 18, column: 5, scope: !43)
!47 = !DILocation(line: 19, column: 5, scope: !36)
!48 = !DILocation(line: 18, column: 45, scope: !49)
!49 = distinct !DILexicalBlock(scope: !43, file: !3, line: 18, column: 5)
!50 = !{!51, !51, i64 0}
!51 = !{!"vtable pointer", !52, i64 0}
!52 = !{!"Simple C++ TBAA"}
!53 = !DILocation(line: 18, column: 33, scope: !49)
!54 = !DILocation(line: 18, column: 25, scope: !49)
!55 = distinct !{!55, !46, !56, !57, !58}
!56 = !DILocation(line: 18, column: 57, scope: !43)
!57 = !{!"llvm.loop.mustprogress"}
!58 = !{!"llvm.loop.unroll.disable"}
!59 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 22, type: !60, scopeLine: 22, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !62)
!60 = !DISubroutineType(types: !61)
!61 = !{!11}
!62 = !{!63}
!63 = !DILocalVariable(name: "thread", scope: !59, file: !3, line: 23, type: !64)
!64 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !65, line: 27, baseType: !66)
!65 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/pthreadtypes.h", directory: "", checksumkind: CSK_MD5, checksum: "735e3bf264ff9d8f5d95898b1692fbdb")
!66 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!67 = !DILocation(line: 23, column: 5, scope: !59)
!68 = !DILocation(line: 0, scope: !59)
!69 = !DILocation(line: 24, column: 5, scope: !59)
!70 = !DILocation(line: 0, scope: !36, inlinedAt: !71)
!71 = distinct !DILocation(line: 25, column: 5, scope: !59)
!72 = !DILocation(line: 0, scope: !43, inlinedAt: !71)
!73 = !DILocation(line: 18, column: 5, scope: !43, inlinedAt: !71)
!74 = !DILocation(line: 18, column: 45, scope: !49, inlinedAt: !71)
!75 = !DILocation(line: 18, column: 33, scope: !49, inlinedAt: !71)
!76 = !DILocation(line: 18, column: 25, scope: !49, inlinedAt: !71)
!77 = distinct !{!77, !73, !78, !57, !58}
!78 = !DILocation(line: 18, column: 57, scope: !43, inlinedAt: !71)
!79 = !DILocation(line: 26, column: 18, scope: !59)
!80 = !{!81, !81, i64 0}
!81 = !{!"long", !82, i64 0}
!82 = !{!"omnipotent char", !52, i64 0}
!83 = !DILocation(line: 26, column: 5, scope: !59)
!84 = !DILocation(line: 27, column: 5, scope: !59)
!85 = !DILocation(line: 28, column: 1, scope: !59)
!86 = !DISubprogram(name: "pthread_create", scope: !87, file: !87, line: 202, type: !88, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !99)
!87 = !DIFile(filename: "/usr/include/pthread.h", directory: "", checksumkind: CSK_MD5, checksum: "5205981c6f80cc3dc1e81231df63d8ef")
!88 = !DISubroutineType(types: !89)
!89 = !{!11, !90, !92, !97, !98}
!90 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !91)
!91 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !64, size: 64)
!92 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !93)
!93 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !94, size: 64)
!94 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !95)
!95 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_attr_t", file: !65, line: 62, baseType: !96)
!96 = !DICompositeType(tag: DW_TAG_union_type, name: "pthread_attr_t", file: !65, line: 56, size: 448, flags: DIFlagFwdDecl, identifier: "_ZTS14pthread_attr_t")
!97 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !37, size: 64)
!98 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !39)
!99 = !{}
!100 = !DISubprogram(name: "pthread_join", scope: !87, file: !87, line: 219, type: !101, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized, retainedNodes: !99)
!101 = !DISubroutineType(types: !102)
!102 = !{!11, !64, !103}
!103 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !39, size: 64)
!104 = distinct !DISubprogram(name: "add", linkageName: "_ZN6by_one3addEPi", scope: !12, file: !3, line: 10, type: !16, scopeLine: 10, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !15, retainedNodes: !105)
!105 = !{!106, !108}
!106 = !DILocalVariable(name: "this", arg: 1, scope: !104, type: !107, flags: DIFlagArtificial | DIFlagObjectPointer)
!107 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!108 = !DILocalVariable(name: "counter", arg: 2, scope: !104, file: !3, line: 10, type: !19)
!109 = !DILocation(line: 0, scope: !104)
!110 = !DILocation(line: 10, column: 48, scope: !104)
!111 = !{!112, !112, i64 0}
!112 = !{!"int", !82, i64 0}
!113 = !DILocation(line: 10, column: 54, scope: !104)
!114 = distinct !DISubprogram(name: "~by_one", linkageName: "_ZN6by_oneD0Ev", scope: !12, file: !3, line: 9, type: !115, scopeLine: 9, flags: DIFlagArtificial | DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, declaration: !117, retainedNodes: !118)
!115 = !DISubroutineType(types: !116)
!116 = !{null, !18}
!117 = !DISubprogram(name: "~by_one", scope: !12, type: !115, containingType: !12, virtualIndex: 0, flags: DIFlagArtificial | DIFlagPrototyped, spFlags: DISPFlagVirtual | DISPFlagOptimized)
!118 = !{!119}
!119 = !DILocalVariable(name: "this", arg: 1, scope: !114, type: !107, flags: DIFlagArtificial | DIFlagObjectPointer)
!120 = !DILocation(line: 0, scope: !114)
!121 = !DILocation(line: 9, column: 8, scope: !114)
