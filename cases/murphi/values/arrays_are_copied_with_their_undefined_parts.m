--@ verdict: holds
--@ args: --deadlock off
type row: array [1..3] of 0..9;
var from, into: row;
startstate from[2] := 7; end;
rule "copy" begin into := from; end;
invariant !isundefined(into[2]) -> into[2] = 7 & isundefined(into[1]) & isundefined(into[3]);
