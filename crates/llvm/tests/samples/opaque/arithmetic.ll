; Arithmetic, vectors, and every way that control goes.
define <2 x i32> @numbers(i32 %a, <2 x i32> %v, double %d, ptr %p) {
  %s = add nuw nsw i32 %a, -1
  %t = or disjoint i32 %s, 8
  %u = udiv exact i32 %t, 3
  %w = trunc nuw nsw i32 %u to i8
  %x = zext nneg i8 %w to i64
  %c = icmp samesign ult i64 %x, 18446744073709551615
  %f = fcmp fast olt double %d, 1.500000e+00
  %g = fneg nsz double %d
  %h = select reassoc i1 %f, double %g, double 0x7FF0000000000000
  %i = freeze i64 %x
  %lt = icmp slt <2 x i32> %v, splat (i32 7)
  %pick = select <2 x i1> %lt, <2 x i32> %v, <2 x i32> <i32 1, i32 poison>
  %e = extractelement <2 x i32> %pick, i64 0
  %ins = insertelement <2 x i32> undef, i32 %e, i32 1
  %sh = shufflevector <2 x i32> %ins, <2 x i32> zeroinitializer, <2 x i32> <i32 3, i32 0>
  %ps = getelementptr i8, ptr %p, <2 x i64> <i64 1, i64 2>
  %as = ptrtoint <2 x ptr> %ps to <2 x i64>
  %b = bitcast double %h to i64
  ret <2 x i32> %sh
}

define i32 @ways(i32 %n) {
  switch i32 %n, label %other [
    i32 -1, label %1
    i32 5, label %loop
  ]

1:                                                ; preds = %0
  br label %loop

loop:                                             ; preds = %loop, %1, %0
  %i = phi i32 [ 0, %1 ], [ %next, %loop ], [ 9, %0 ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %"the end"

"the end":
  ret i32 %later

other:
  %later = sub i32 0, %n
  br label %"the end"
  uselistorder i32 %n, { 1, 0 }
}
