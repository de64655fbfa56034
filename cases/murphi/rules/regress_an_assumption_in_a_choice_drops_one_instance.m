--@ verdict: violated "x is not 3"
--@ trace: 1 step
--@ engine: explicit, explicit --interpret
var m: array[0..1] of multiset[2] of 0..1; x: 0..3; y: 0..1;
function one(v: 0..1): 0..1; begin assume v = 1; return v; end;
startstate
  for i: 0..1 do undefine m[i]; multisetadd(1, m[i]); end; x := 0; y := 0;
end;
ruleset k: 0..1 do choose i: m[one(k)] do rule "go" begin x := 3; end; end; end;
rule "turn" begin y := 1 - y; end;
invariant "x is not 3" x != 3;
