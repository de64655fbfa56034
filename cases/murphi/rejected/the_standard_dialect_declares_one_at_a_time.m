--@ args: --strict
const A, B: 2; --~ ERROR MU015
type t, u: 0..A; --~ ERROR MU015
var x,: t; --~ ERROR MU015
procedure f(a: t b: t); begin end; --~ ERROR MU015
startstate x := 0; end;
rule x < 2 ==> x := x + 1; end;
