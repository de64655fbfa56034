source_filename = "program.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i32, [4 x i64], i8 }
%union.pthread_mutex_t = type { %struct.__pthread_mutex_s }
%struct.__pthread_mutex_s = type { i32, i32, i32, i32, i32, i16, i16, %struct.__pthread_internal_list }
%struct.__pthread_internal_list = type { %struct.__pthread_internal_list*, %struct.__pthread_internal_list* }
%union.pthread_attr_t = type { i64, [48 x i8] }

@table = dso_local global [2 x %struct.pair] [%struct.pair { i32 1, [4 x i64] [i64 2, i64 3, i64 4, i64 5], i8 1 }, %struct.pair { i32 6, [4 x i64] [i64 7, i64 8, i64 9, i64 10], i8 2 }], align 16, !dbg !0
@text = dso_local global [12 x i8] c"hello\00\00\00\00\00\00\00", align 1, !dbg !17
@mood = dso_local global i32 70, align 4, !dbg !23
@wide = dso_local global <4 x i32> <i32 1, i32 2, i32 3, i32 4>, align 16, !dbg !25
@m = dso_local global %union.pthread_mutex_t zeroinitializer, align 8, !dbg !31
@grid = dso_local global [3 x [5 x i32]] zeroinitializer, align 16, !dbg !62
@turns = dso_local global i32 0, align 4, !dbg !68

; Function Attrs: noinline nounwind uwtable
define dso_local i8* @worker(i8* noundef %given) #0 !dbg !88 {
entry:
  %given.addr = alloca i8*, align 8
  %local = alloca [7 x i32], align 16
  store i8* %given, i8** %given.addr, align 8
  call void @llvm.dbg.declare(metadata i8** %given.addr, metadata !92, metadata !DIExpression()), !dbg !93
  call void @llvm.dbg.declare(metadata [7 x i32]* %local, metadata !94, metadata !DIExpression()), !dbg !98
  %arraydecay = getelementptr inbounds [7 x i32], [7 x i32]* %local, i64 0, i64 0, !dbg !99
  %0 = bitcast i32* %arraydecay to i8*, !dbg !99
  call void @llvm.memset.p0i8.i64(i8* align 16 %0, i8 0, i64 28, i1 false), !dbg !99
  %call = call i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef @m) #7, !dbg !100
  %1 = load i8*, i8** %given.addr, align 8, !dbg !101
  %2 = ptrtoint i8* %1 to i64, !dbg !102
  %conv = trunc i64 %2 to i32, !dbg !103
  %3 = load i32, i32* getelementptr inbounds ([3 x [5 x i32]], [3 x [5 x i32]]* @grid, i64 0, i64 1, i64 2), align 4, !dbg !104
  %add = add nsw i32 %3, %conv, !dbg !104
  store i32 %add, i32* getelementptr inbounds ([3 x [5 x i32]], [3 x [5 x i32]]* @grid, i64 0, i64 1, i64 2), align 4, !dbg !104
  %call1 = call i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef @m) #7, !dbg !105
  %4 = load i32, i32* getelementptr inbounds ([3 x [5 x i32]], [3 x [5 x i32]]* @grid, i64 0, i64 2, i64 4), align 8, !dbg !106
  %arrayidx = getelementptr inbounds [7 x i32], [7 x i32]* %local, i64 0, i64 3, !dbg !107
  store i32 %4, i32* %arrayidx, align 4, !dbg !108
  %5 = atomicrmw add i32* @turns, i32 1 seq_cst, align 4, !dbg !109
  %arrayidx2 = getelementptr inbounds [7 x i32], [7 x i32]* %local, i64 0, i64 3, !dbg !110
  %6 = load i32, i32* %arrayidx2, align 4, !dbg !110
  %conv3 = sext i32 %6 to i64, !dbg !111
  %7 = inttoptr i64 %conv3 to i8*, !dbg !112
  ret i8* %7, !dbg !113
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: argmemonly nofree nounwind willreturn writeonly
declare void @llvm.memset.p0i8.i64(i8* nocapture writeonly, i8, i64, i1 immarg) #2

; Function Attrs: nounwind
declare i32 @pthread_mutex_lock(%union.pthread_mutex_t* noundef) #3

; Function Attrs: nounwind
declare i32 @pthread_mutex_unlock(%union.pthread_mutex_t* noundef) #3

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main(i32 noundef %argc, i8** noundef %argv) #0 !dbg !114 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca i8**, align 8
  %t = alloca i64, align 8
  %copy = alloca %struct.pair, align 8
  %heap = alloca i8*, align 8
  %doubled = alloca <4 x i32>, align 16
  %big = alloca i128, align 16
  %sum = alloca i32, align 4
  %saved_stack = alloca i8*, align 8
  %__vla_expr0 = alloca i64, align 8
  store i32 0, i32* %retval, align 4
  store i32 %argc, i32* %argc.addr, align 4
  call void @llvm.dbg.declare(metadata i32* %argc.addr, metadata !119, metadata !DIExpression()), !dbg !120
  store i8** %argv, i8*** %argv.addr, align 8
  call void @llvm.dbg.declare(metadata i8*** %argv.addr, metadata !121, metadata !DIExpression()), !dbg !122
  call void @llvm.dbg.declare(metadata i64* %t, metadata !123, metadata !DIExpression()), !dbg !126
  call void @llvm.dbg.declare(metadata %struct.pair* %copy, metadata !127, metadata !DIExpression()), !dbg !128
  %0 = bitcast %struct.pair* %copy to i8*, !dbg !129
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %0, i8* align 16 bitcast (%struct.pair* getelementptr inbounds ([2 x %struct.pair], [2 x %struct.pair]* @table, i64 0, i64 1) to i8*), i64 48, i1 false), !dbg !129
  call void @llvm.dbg.declare(metadata i8** %heap, metadata !130, metadata !DIExpression()), !dbg !131
  %call = call noalias i8* @malloc(i64 noundef 16) #7, !dbg !132
  store i8* %call, i8** %heap, align 8, !dbg !131
  call void @llvm.dbg.declare(metadata <4 x i32>* %doubled, metadata !133, metadata !DIExpression()), !dbg !134
  %1 = load <4 x i32>, <4 x i32>* @wide, align 16, !dbg !135
  %mul = mul <4 x i32> %1, <i32 2, i32 2, i32 2, i32 2>, !dbg !136
  store <4 x i32> %mul, <4 x i32>* %doubled, align 16, !dbg !134
  call void @llvm.dbg.declare(metadata i128* %big, metadata !137, metadata !DIExpression()), !dbg !138
  %b = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 1, !dbg !139
  %arrayidx = getelementptr inbounds [4 x i64], [4 x i64]* %b, i64 0, i64 2, !dbg !140
  %2 = load i64, i64* %arrayidx, align 8, !dbg !140
  %conv = sext i64 %2 to i128, !dbg !141
  %shl = shl i128 %conv, 70, !dbg !142
  store i128 %shl, i128* %big, align 16, !dbg !138
  %3 = load i8*, i8** %heap, align 8, !dbg !143
  %tobool = icmp ne i8* %3, null, !dbg !143
  br i1 %tobool, label %if.end, label %if.then, !dbg !145

if.then:                                          ; preds = %entry
  store i32 1, i32* %retval, align 4, !dbg !146
  br label %return, !dbg !146

if.end:                                           ; preds = %entry
  %4 = load i8*, i8** %heap, align 8, !dbg !147
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 1 %4, i8* align 1 getelementptr inbounds ([12 x i8], [12 x i8]* @text, i64 0, i64 0), i64 6, i1 false), !dbg !148
  %5 = load i8, i8* getelementptr inbounds ([12 x i8], [12 x i8]* @text, i64 0, i64 2), align 1, !dbg !149
  %6 = load i8*, i8** %heap, align 8, !dbg !150
  %arrayidx1 = getelementptr inbounds i8, i8* %6, i64 9, !dbg !150
  store i8 %5, i8* %arrayidx1, align 1, !dbg !151
  %b2 = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 1, !dbg !152
  %arrayidx3 = getelementptr inbounds [4 x i64], [4 x i64]* %b2, i64 0, i64 1, !dbg !153
  %7 = load i64, i64* %arrayidx3, align 8, !dbg !153
  switch i64 %7, label %sw.default [
    i64 3, label %sw.bb
    i64 8, label %sw.bb4
  ], !dbg !154

sw.bb:                                            ; preds = %if.end
  %a = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 0, !dbg !155
  store i32 5, i32* %a, align 8, !dbg !157
  br label %sw.epilog, !dbg !158

sw.bb4:                                           ; preds = %if.end
  %a5 = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 0, !dbg !159
  store i32 11, i32* %a5, align 8, !dbg !160
  br label %sw.epilog, !dbg !161

sw.default:                                       ; preds = %if.end
  %a6 = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 0, !dbg !162
  store i32 12, i32* %a6, align 8, !dbg !163
  br label %sw.epilog, !dbg !164

sw.epilog:                                        ; preds = %sw.default, %sw.bb4, %sw.bb
  %call7 = call i32 @pthread_create(i64* noundef %t, %union.pthread_attr_t* noundef null, i8* (i8*)* noundef @worker, i8* noundef inttoptr (i64 3 to i8*)) #7, !dbg !165
  %8 = load i64, i64* %t, align 8, !dbg !166
  %call8 = call i32 @pthread_join(i64 noundef %8, i8** noundef null), !dbg !167
  call void @llvm.dbg.declare(metadata i32* %sum, metadata !168, metadata !DIExpression()), !dbg !169
  %9 = load <4 x i32>, <4 x i32>* %doubled, align 16, !dbg !170
  %vecext = extractelement <4 x i32> %9, i32 2, !dbg !170
  %10 = load i128, i128* %big, align 16, !dbg !171
  %shr = ashr i128 %10, 72, !dbg !172
  %conv9 = trunc i128 %shr to i32, !dbg !173
  %add = add nsw i32 %vecext, %conv9, !dbg !174
  %a10 = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 0, !dbg !175
  %11 = load i32, i32* %a10, align 8, !dbg !175
  %add11 = add nsw i32 %add, %11, !dbg !176
  %flag = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 2, !dbg !177
  %bf.load = load i8, i8* %flag, align 8, !dbg !177
  %bf.clear = and i8 %bf.load, 7, !dbg !177
  %bf.cast = zext i8 %bf.clear to i32, !dbg !177
  %add12 = add nsw i32 %add11, %bf.cast, !dbg !178
  store i32 %add12, i32* %sum, align 4, !dbg !169
  %12 = load i8*, i8** %heap, align 8, !dbg !179
  call void @free(i8* noundef %12) #7, !dbg !180
  %a13 = getelementptr inbounds %struct.pair, %struct.pair* %copy, i32 0, i32 0, !dbg !181
  %13 = load i32, i32* %a13, align 8, !dbg !181
  %14 = zext i32 %13 to i64, !dbg !182
  %15 = call i8* @llvm.stacksave(), !dbg !182
  store i8* %15, i8** %saved_stack, align 8, !dbg !182
  %vla = alloca i32, i64 %14, align 16, !dbg !182
  store i64 %14, i64* %__vla_expr0, align 8, !dbg !182
  call void @llvm.dbg.declare(metadata i64* %__vla_expr0, metadata !183, metadata !DIExpression()), !dbg !184
  call void @llvm.dbg.declare(metadata i32* %vla, metadata !185, metadata !DIExpression()), !dbg !189
  %16 = load i32, i32* %sum, align 4, !dbg !190
  %arrayidx14 = getelementptr inbounds i32, i32* %vla, i64 4, !dbg !191
  store i32 %16, i32* %arrayidx14, align 16, !dbg !192
  %arrayidx15 = getelementptr inbounds i32, i32* %vla, i64 4, !dbg !193
  %17 = load i32, i32* %arrayidx15, align 16, !dbg !193
  %cmp = icmp eq i32 %17, 0, !dbg !194
  %conv16 = zext i1 %cmp to i32, !dbg !194
  store i32 %conv16, i32* %retval, align 4, !dbg !195
  %18 = load i8*, i8** %saved_stack, align 8, !dbg !196
  call void @llvm.stackrestore(i8* %18), !dbg !196
  br label %return

return:                                           ; preds = %sw.epilog, %if.then
  %19 = load i32, i32* %retval, align 4, !dbg !196
  ret i32 %19, !dbg !196
}

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg) #4

; Function Attrs: nounwind
declare noalias i8* @malloc(i64 noundef) #3

; Function Attrs: nounwind
declare i32 @pthread_create(i64* noundef, %union.pthread_attr_t* noundef, i8* (i8*)* noundef, i8* noundef) #3

declare i32 @pthread_join(i64 noundef, i8** noundef) #5

; Function Attrs: nounwind
declare void @free(i8* noundef) #3

; Function Attrs: nofree nosync nounwind willreturn
declare i8* @llvm.stacksave() #6

; Function Attrs: nofree nosync nounwind willreturn
declare void @llvm.stackrestore(i8*) #6

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { argmemonly nofree nounwind willreturn writeonly }
attributes #3 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { argmemonly nofree nounwind willreturn }
attributes #5 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nofree nosync nounwind willreturn }
attributes #7 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!80, !81, !82, !83, !84, !85, !86}
!llvm.ident = !{!87}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "table", scope: !2, file: !6, line: 8, type: !71, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !4, retainedTypes: !11, globals: !16, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "program.c", directory: "")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "mood", file: !6, line: 6, baseType: !7, size: 32, elements: !8)
!6 = !DIFile(filename: "program.c", directory: "")
!7 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!8 = !{!9, !10}
!9 = !DIEnumerator(name: "GLAD", value: 3)
!10 = !DIEnumerator(name: "SAD", value: 70)
!11 = !{!12, !13, !14, !15}
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!14 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!15 = !DIBasicType(name: "__int128", size: 128, encoding: DW_ATE_signed)
!16 = !{!0, !17, !23, !25, !31, !62, !68}
!17 = !DIGlobalVariableExpression(var: !18, expr: !DIExpression())
!18 = distinct !DIGlobalVariable(name: "text", scope: !2, file: !6, line: 9, type: !19, isLocal: false, isDefinition: true)
!19 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 96, elements: !21)
!20 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!21 = !{!22}
!22 = !DISubrange(count: 12)
!23 = !DIGlobalVariableExpression(var: !24, expr: !DIExpression())
!24 = distinct !DIGlobalVariable(name: "mood", scope: !2, file: !6, line: 10, type: !5, isLocal: false, isDefinition: true)
!25 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression())
!26 = distinct !DIGlobalVariable(name: "wide", scope: !2, file: !6, line: 11, type: !27, isLocal: false, isDefinition: true)
!27 = !DIDerivedType(tag: DW_TAG_typedef, name: "four", file: !6, line: 5, baseType: !28)
!28 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 128, flags: DIFlagVector, elements: !29)
!29 = !{!30}
!30 = !DISubrange(count: 4)
!31 = !DIGlobalVariableExpression(var: !32, expr: !DIExpression())
!32 = distinct !DIGlobalVariable(name: "m", scope: !2, file: !6, line: 12, type: !33, isLocal: false, isDefinition: true)
!33 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_mutex_t", file: !34, line: 72, baseType: !35)
!34 = !DIFile(filename: "pthreadtypes.h", directory: "")
!35 = distinct !DICompositeType(tag: DW_TAG_union_type, file: !34, line: 67, size: 320, elements: !36)
!36 = !{!37, !57, !61}
!37 = !DIDerivedType(tag: DW_TAG_member, name: "__data", scope: !35, file: !34, line: 69, baseType: !38, size: 320)
!38 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_mutex_s", file: !39, line: 22, size: 320, elements: !40)
!39 = !DIFile(filename: "struct_mutex.h", directory: "")
!40 = !{!41, !42, !43, !44, !45, !46, !48, !49}
!41 = !DIDerivedType(tag: DW_TAG_member, name: "__lock", scope: !38, file: !39, line: 24, baseType: !12, size: 32)
!42 = !DIDerivedType(tag: DW_TAG_member, name: "__count", scope: !38, file: !39, line: 25, baseType: !7, size: 32, offset: 32)
!43 = !DIDerivedType(tag: DW_TAG_member, name: "__owner", scope: !38, file: !39, line: 26, baseType: !12, size: 32, offset: 64)
!44 = !DIDerivedType(tag: DW_TAG_member, name: "__nusers", scope: !38, file: !39, line: 28, baseType: !7, size: 32, offset: 96)
!45 = !DIDerivedType(tag: DW_TAG_member, name: "__kind", scope: !38, file: !39, line: 32, baseType: !12, size: 32, offset: 128)
!46 = !DIDerivedType(tag: DW_TAG_member, name: "__spins", scope: !38, file: !39, line: 34, baseType: !47, size: 16, offset: 160)
!47 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!48 = !DIDerivedType(tag: DW_TAG_member, name: "__elision", scope: !38, file: !39, line: 35, baseType: !47, size: 16, offset: 176)
!49 = !DIDerivedType(tag: DW_TAG_member, name: "__list", scope: !38, file: !39, line: 36, baseType: !50, size: 128, offset: 192)
!50 = !DIDerivedType(tag: DW_TAG_typedef, name: "__pthread_list_t", file: !51, line: 55, baseType: !52)
!51 = !DIFile(filename: "thread-shared-types.h", directory: "")
!52 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__pthread_internal_list", file: !51, line: 51, size: 128, elements: !53)
!53 = !{!54, !56}
!54 = !DIDerivedType(tag: DW_TAG_member, name: "__prev", scope: !52, file: !51, line: 53, baseType: !55, size: 64)
!55 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !52, size: 64)
!56 = !DIDerivedType(tag: DW_TAG_member, name: "__next", scope: !52, file: !51, line: 54, baseType: !55, size: 64, offset: 64)
!57 = !DIDerivedType(tag: DW_TAG_member, name: "__size", scope: !35, file: !34, line: 70, baseType: !58, size: 320)
!58 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 320, elements: !59)
!59 = !{!60}
!60 = !DISubrange(count: 40)
!61 = !DIDerivedType(tag: DW_TAG_member, name: "__align", scope: !35, file: !34, line: 71, baseType: !13, size: 64)
!62 = !DIGlobalVariableExpression(var: !63, expr: !DIExpression())
!63 = distinct !DIGlobalVariable(name: "grid", scope: !2, file: !6, line: 7, type: !64, isLocal: false, isDefinition: true)
!64 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 480, elements: !65)
!65 = !{!66, !67}
!66 = !DISubrange(count: 3)
!67 = !DISubrange(count: 5)
!68 = !DIGlobalVariableExpression(var: !69, expr: !DIExpression())
!69 = distinct !DIGlobalVariable(name: "turns", scope: !2, file: !6, line: 13, type: !70, isLocal: false, isDefinition: true)
!70 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !12)
!71 = !DICompositeType(tag: DW_TAG_array_type, baseType: !72, size: 768, elements: !78)
!72 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "pair", file: !6, line: 4, size: 384, elements: !73)
!73 = !{!74, !75, !77}
!74 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !72, file: !6, line: 4, baseType: !12, size: 32)
!75 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !72, file: !6, line: 4, baseType: !76, size: 256, offset: 64)
!76 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 256, elements: !29)
!77 = !DIDerivedType(tag: DW_TAG_member, name: "flag", scope: !72, file: !6, line: 4, baseType: !7, size: 3, offset: 320, flags: DIFlagBitField, extraData: i64 320)
!78 = !{!79}
!79 = !DISubrange(count: 2)
!80 = !{i32 7, !"Dwarf Version", i32 5}
!81 = !{i32 2, !"Debug Info Version", i32 3}
!82 = !{i32 1, !"wchar_size", i32 4}
!83 = !{i32 7, !"PIC Level", i32 2}
!84 = !{i32 7, !"PIE Level", i32 2}
!85 = !{i32 7, !"uwtable", i32 1}
!86 = !{i32 7, !"frame-pointer", i32 2}
!87 = !{!"clang"}
!88 = distinct !DISubprogram(name: "worker", scope: !6, file: !6, line: 14, type: !89, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !91)
!89 = !DISubroutineType(types: !90)
!90 = !{!14, !14}
!91 = !{}
!92 = !DILocalVariable(name: "given", arg: 1, scope: !88, file: !6, line: 14, type: !14)
!93 = !DILocation(line: 14, column: 20, scope: !88)
!94 = !DILocalVariable(name: "local", scope: !88, file: !6, line: 15, type: !95)
!95 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 224, elements: !96)
!96 = !{!97}
!97 = !DISubrange(count: 7)
!98 = !DILocation(line: 15, column: 7, scope: !88)
!99 = !DILocation(line: 16, column: 3, scope: !88)
!100 = !DILocation(line: 17, column: 3, scope: !88)
!101 = !DILocation(line: 18, column: 28, scope: !88)
!102 = !DILocation(line: 18, column: 22, scope: !88)
!103 = !DILocation(line: 18, column: 17, scope: !88)
!104 = !DILocation(line: 18, column: 14, scope: !88)
!105 = !DILocation(line: 19, column: 3, scope: !88)
!106 = !DILocation(line: 20, column: 14, scope: !88)
!107 = !DILocation(line: 20, column: 3, scope: !88)
!108 = !DILocation(line: 20, column: 12, scope: !88)
!109 = !DILocation(line: 21, column: 8, scope: !88)
!110 = !DILocation(line: 22, column: 24, scope: !88)
!111 = !DILocation(line: 22, column: 18, scope: !88)
!112 = !DILocation(line: 22, column: 10, scope: !88)
!113 = !DILocation(line: 22, column: 3, scope: !88)
!114 = distinct !DISubprogram(name: "main", scope: !6, file: !6, line: 24, type: !115, scopeLine: 24, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !91)
!115 = !DISubroutineType(types: !116)
!116 = !{!12, !12, !117}
!117 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !118, size: 64)
!118 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!119 = !DILocalVariable(name: "argc", arg: 1, scope: !114, file: !6, line: 24, type: !12)
!120 = !DILocation(line: 24, column: 14, scope: !114)
!121 = !DILocalVariable(name: "argv", arg: 2, scope: !114, file: !6, line: 24, type: !117)
!122 = !DILocation(line: 24, column: 27, scope: !114)
!123 = !DILocalVariable(name: "t", scope: !114, file: !6, line: 25, type: !124)
!124 = !DIDerivedType(tag: DW_TAG_typedef, name: "pthread_t", file: !34, line: 27, baseType: !125)
!125 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!126 = !DILocation(line: 25, column: 13, scope: !114)
!127 = !DILocalVariable(name: "copy", scope: !114, file: !6, line: 26, type: !72)
!128 = !DILocation(line: 26, column: 15, scope: !114)
!129 = !DILocation(line: 26, column: 22, scope: !114)
!130 = !DILocalVariable(name: "heap", scope: !114, file: !6, line: 27, type: !118)
!131 = !DILocation(line: 27, column: 9, scope: !114)
!132 = !DILocation(line: 27, column: 16, scope: !114)
!133 = !DILocalVariable(name: "doubled", scope: !114, file: !6, line: 28, type: !27)
!134 = !DILocation(line: 28, column: 8, scope: !114)
!135 = !DILocation(line: 28, column: 18, scope: !114)
!136 = !DILocation(line: 28, column: 23, scope: !114)
!137 = !DILocalVariable(name: "big", scope: !114, file: !6, line: 29, type: !15)
!138 = !DILocation(line: 29, column: 12, scope: !114)
!139 = !DILocation(line: 29, column: 33, scope: !114)
!140 = !DILocation(line: 29, column: 28, scope: !114)
!141 = !DILocation(line: 29, column: 18, scope: !114)
!142 = !DILocation(line: 29, column: 38, scope: !114)
!143 = !DILocation(line: 30, column: 8, scope: !144)
!144 = distinct !DILexicalBlock(scope: !114, file: !6, line: 30, column: 7)
!145 = !DILocation(line: 30, column: 7, scope: !114)
!146 = !DILocation(line: 30, column: 14, scope: !144)
!147 = !DILocation(line: 31, column: 10, scope: !114)
!148 = !DILocation(line: 31, column: 3, scope: !114)
!149 = !DILocation(line: 32, column: 13, scope: !114)
!150 = !DILocation(line: 32, column: 3, scope: !114)
!151 = !DILocation(line: 32, column: 11, scope: !114)
!152 = !DILocation(line: 33, column: 16, scope: !114)
!153 = !DILocation(line: 33, column: 11, scope: !114)
!154 = !DILocation(line: 33, column: 3, scope: !114)
!155 = !DILocation(line: 33, column: 37, scope: !156)
!156 = distinct !DILexicalBlock(scope: !114, file: !6, line: 33, column: 22)
!157 = !DILocation(line: 33, column: 39, scope: !156)
!158 = !DILocation(line: 33, column: 44, scope: !156)
!159 = !DILocation(line: 33, column: 64, scope: !156)
!160 = !DILocation(line: 33, column: 66, scope: !156)
!161 = !DILocation(line: 33, column: 72, scope: !156)
!162 = !DILocation(line: 33, column: 93, scope: !156)
!163 = !DILocation(line: 33, column: 95, scope: !156)
!164 = !DILocation(line: 33, column: 101, scope: !156)
!165 = !DILocation(line: 34, column: 3, scope: !114)
!166 = !DILocation(line: 35, column: 16, scope: !114)
!167 = !DILocation(line: 35, column: 3, scope: !114)
!168 = !DILocalVariable(name: "sum", scope: !114, file: !6, line: 36, type: !12)
!169 = !DILocation(line: 36, column: 7, scope: !114)
!170 = !DILocation(line: 36, column: 13, scope: !114)
!171 = !DILocation(line: 36, column: 32, scope: !114)
!172 = !DILocation(line: 36, column: 36, scope: !114)
!173 = !DILocation(line: 36, column: 26, scope: !114)
!174 = !DILocation(line: 36, column: 24, scope: !114)
!175 = !DILocation(line: 36, column: 50, scope: !114)
!176 = !DILocation(line: 36, column: 43, scope: !114)
!177 = !DILocation(line: 36, column: 59, scope: !114)
!178 = !DILocation(line: 36, column: 52, scope: !114)
!179 = !DILocation(line: 37, column: 8, scope: !114)
!180 = !DILocation(line: 37, column: 3, scope: !114)
!181 = !DILocation(line: 38, column: 17, scope: !114)
!182 = !DILocation(line: 38, column: 3, scope: !114)
!183 = !DILocalVariable(name: "__vla_expr0", scope: !114, type: !125, flags: DIFlagArtificial)
!184 = !DILocation(line: 0, scope: !114)
!185 = !DILocalVariable(name: "rest", scope: !114, file: !6, line: 38, type: !186)
!186 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, elements: !187)
!187 = !{!188}
!188 = !DISubrange(count: !183)
!189 = !DILocation(line: 38, column: 7, scope: !114)
!190 = !DILocation(line: 39, column: 13, scope: !114)
!191 = !DILocation(line: 39, column: 3, scope: !114)
!192 = !DILocation(line: 39, column: 11, scope: !114)
!193 = !DILocation(line: 40, column: 10, scope: !114)
!194 = !DILocation(line: 40, column: 18, scope: !114)
!195 = !DILocation(line: 40, column: 3, scope: !114)
!196 = !DILocation(line: 41, column: 1, scope: !114)
