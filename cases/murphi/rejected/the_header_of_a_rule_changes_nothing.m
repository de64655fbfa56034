-- Neither by itself, nor for the guard that gets an alias by reference.
var y : 0 .. 3; m : array [0 .. 3] of multiset [2] of 0 .. 1;
function inc() : 0 .. 3; begin y := 1; return 0; end;
function set(var z : 0 .. 3) : boolean; begin z := 1; return true; end;
startstate y := 0; end;
alias v : inc() do rule y := 0; end; end; --~ ERROR MU013
alias v : m[inc()] do rule y := 0; end; end; --~ ERROR MU013
choose i : m[inc()] do rule y := 0; end; end; --~ ERROR MU013
alias w : y do rule set(w) ==> y := 0; end; end; --~ ERROR MU013
