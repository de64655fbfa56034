--@ verdict: violated "none"
--@ args: --threads any --param P
--@ threads: 4
-- The sender of a message that was received does not matter, but for the copies of the message.
const N: 3;
type P: scalarset(N); K: enum { None, Some }; M: record t: K; o: P; end;
var m: M; y: array[0..3] of M; a: array[P] of boolean;
startstate begin m.t := None; undefine m.o; for k: 0..3 do y[k] := m; end; clear a; end;
ruleset i: P do rule "send" m.t = None ==> begin m.t := Some; m.o := i; end; end;
rule "receive" m.t = Some ==> begin a[m.o] := true; m.t := None; end;
rule "copy" m.t = None ==> begin y[3] := y[2]; y[2] := y[1]; y[1] := y[0]; y[0] := m; end;
invariant "none" forall i: P do !(y[3].o = i) | y[1].o = i | y[2].o = i | y[0].o = i | y[0].o = y[1].o | y[0].o = y[2].o | y[1].o = y[2].o end;
