--@ args: --threads any --~ ERROR MU023
-- No rule is for all elements of a type.
var x: boolean;
startstate x := false; end;
rule begin x := !x; end;
invariant x | !x;
