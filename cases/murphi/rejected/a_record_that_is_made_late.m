-- What is beside a call that gives a record would be evaluated before it. Where the call
-- changes something, that is another model than the one that is written.
type pair : record a : 0 .. 3; b : 0 .. 3; end;
     row : array [0 .. 3] of 0 .. 3;
var n : 0 .. 3;
function take(): pair; var p : pair; begin n := n + 1; p.a := n; p.b := 0; return p; end;
function look(): pair; var p : pair; begin p.a := n; p.b := 0; return p; end;
function line(): row; var r : row; begin n := n + 1; for i : 0 .. 3 do r[i] := i; end; return r; end;
function sum(p : pair; k : 0 .. 3): 0 .. 6; begin return p.a + k; end;
function only(p : pair): 0 .. 3; begin return p.a; end;
startstate n := 0; end;
rule n < 2 ==> var k : 0 .. 6; begin
  k := sum(look(), n);
  k := only(take());
  k := take().a;
  k := sum(take(), n); --~ ERROR MU014
  k := line()[n]; --~ ERROR MU014
end;
