; Calls, exceptions and constants. The same program as ../typed/calls.ll.
source_filename = "calls.cpp"
module asm ".globl marker"
$shared = comdat any
%pair = type { i64, i64 }

@table = constant [2 x ptr] [ptr @known, ptr @later], comdat($shared)
@weak = weak_odr hidden global i32 5
@end = global ptr getelementptr inbounds ([2 x ptr], ptr @table, i32 1, i32 0)
@number = global i64 ptrtoint (ptr @weak to i64)
@other = dso_local unnamed_addr alias i32, ptr @weak

declare !dbg !9 i32 @known(i32 signext, ...) #1
declare i32 @__gxx_personality_v0(...)

define linkonce_odr fastcc void @shared(ptr byval(%pair) align 8 %p, ptr noalias sret({ i32 }) %"a b") comdat align 16 personality ptr @__gxx_personality_v0 {
start:
  %0 = tail call i32 (i32, ...) @known(i32 signext 1, double 0x3FF8000000000000, ptr byval(%pair) align 8 %p) #2 [ "deopt"(i32 1, ptr %p) ]
  %1 = invoke noundef i32 %"a b"(i32 range(i32 0, 4) %0) #3
          to label %normal unwind label %2, !heapallocsite !9

2:
  %3 = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @weak]
  resume { ptr, i32 } %3

normal:
  call void asm sideeffect "mfence", "~{memory},~{dirflag}"() #4
  musttail call fastcc void @shared(ptr byval(%pair) %p, ptr %"a b")
  ret void
}

define void @later() {
  call void @known()
  call i32 @unnamed()
  %2 = call nnan float @llvm.fabs.f32(float 1.0)
  unreachable
}
declare i32 @unnamed()
declare float @llvm.fabs.f32(float)
!9 = !{}
^0 = module: (path: "", hash: (0, 0, 0, 0, 0))
