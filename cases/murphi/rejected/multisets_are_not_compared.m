-- Their order means nothing, and is settled only at the end of a step.
type R : record a : boolean; m : multiset [2] of 0 .. 3; end;
var m, k : multiset [2] of 0 .. 3; r, s : R;
startstate undefine m; undefine k; end;
rule m = k ==> undefine m; end; --~ ERROR MU008
invariant r != s; --~ ERROR MU008
