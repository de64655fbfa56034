; Memory and atomics. The same program as ../typed/memory.ll.
target datalayout = "e-m:e-p:32:32-p270:32:32-f64:32:64-f80:32-n8:16:32-S128"

%struct.node = type { i32, ptr, [4 x i16] }
%struct.opaque = type opaque

@head = dso_local global ptr null, align 4
@pool = internal thread_local(localexec) global [3 x %struct.node] zeroinitializer, section ".pool", align 16
@name = private unnamed_addr constant [6 x i8] c"a\22\5Cb\0A\00", align 1
@extern = external dso_local global %struct.opaque

define dso_local i32 @touch(ptr noundef %0, i32 noundef %n) local_unnamed_addr #0 {
  %2 = alloca i64, align 8
  %3 = alloca i8, i32 %n, align 16
  %4 = getelementptr inbounds nuw %struct.node, ptr %0, i32 0, i32 2, i32 %n
  %5 = load volatile i16, ptr %4, align 2, !tbaa !1
  %6 = load atomic i32, ptr %0 seq_cst, align 4
  store atomic i32 %6, ptr %0 release, align 4
  store ptr %0, ptr @head, align 4
  fence syncscope("singlethread") acq_rel
  fence seq_cst
  %7 = cmpxchg weak ptr %0, i32 %6, i32 -1 acq_rel monotonic, align 4
  %8 = extractvalue { i32, i1 } %7, 1
  %9 = atomicrmw volatile add ptr %0, i32 1 monotonic, align 4
  %10 = atomicrmw xchg ptr @head, ptr null acquire
  %old = atomicrmw umax ptr %0, i32 7 seq_cst
  %both = insertvalue { i32, i1 } %7, i1 false, 1
  %11 = va_arg ptr %3, i32
  ret i32 %old
}

attributes #0 = { nounwind "frame-pointer"="all" "a}b" }
!1 = !{!"int", !2, i64 0}
!2 = !{!"any"}
