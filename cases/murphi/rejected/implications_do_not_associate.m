var x, y, z : boolean;
startstate x := true; y := true; z := true; end;
rule x := !x; end;
invariant x -> y -> z; --~ ERROR MU002
