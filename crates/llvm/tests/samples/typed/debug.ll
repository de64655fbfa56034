; What debug metadata says, as clang 14 writes it. The same as ../opaque/debug.ll.
@g = global i32 1, align 4, !dbg !0
@h = global i64 2, align 4, !dbg !30

define i32 @f(i32 %x) !dbg !5 {
entry:
  %p = alloca i32, align 4
  call void @llvm.dbg.declare(metadata i32* %p, metadata !10, metadata !DIExpression()), !dbg !12
  call void @llvm.dbg.value(metadata i32 %x, metadata !11, metadata !DIExpression(DW_OP_plus_uconst, 1, DW_OP_stack_value)), !dbg !12
  call void @llvm.dbg.value(metadata !DIArgList(i32 %x, i32 %y), metadata !11, metadata !DIExpression(DW_OP_LLVM_arg, 0)), !dbg !12
  %y = add i32 %x, 1, !dbg !12
  tail call void @llvm.dbg.value(metadata i32 %y, metadata !11, metadata !DIExpression()) #3, !dbg !13
  call void @llvm.dbg.label(metadata !14), !dbg !12
  ret i32 %y, !dbg !DILocation(line: 9, column: 2, scope: !15)
}

!llvm.dbg.cu = !{!2}
!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "g", scope: !2, file: !3, line: 1, type: !20, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang (x)", isOptimized: false)
!3 = !DIFile(filename: "a\22b.c", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!4 = !DISubroutineType(types: !6)
!5 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 3, type: !4, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, unit: !2)
!6 = !{!20, !20}
!10 = !DILocalVariable(name: "p", scope: !15, file: !3, line: 5, type: !21)
!11 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !3, line: 3, type: !20)
!12 = !DILocation(line: 6, column: 7, scope: !15, inlinedAt: !13)
!13 = distinct !DILocation(line: 8, column: 1, scope: !5)
!14 = !DILabel(scope: !5, name: "l", file: !3, line: 7)
!15 = distinct !DILexicalBlock(scope: !5, file: !3, line: 5, column: 3)
!20 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !22, size: 32)
!22 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !3, line: 1, size: 96, elements: !23)
!23 = !{!24, !25}
!24 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !22, file: !3, line: 1, baseType: !26, size: 64)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "e", scope: !22, file: !3, line: 1, baseType: !28, size: 32, offset: 64)
!26 = !DICompositeType(tag: DW_TAG_array_type, baseType: !20, size: 64, elements: !27)
!27 = !{!DISubrange(count: 2), !DISubrange(lowerBound: 1, upperBound: 3)}
!28 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", baseType: !20, size: 32, elements: !29)
!29 = !{!DIEnumerator(name: "A", value: -1), !DIEnumerator(name: "B", value: 18446744073709551615, isUnsigned: true)}
!30 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_LLVM_fragment, 0, 8))
