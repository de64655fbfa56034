var x, y: boolean;
startstate x := true; y := true; end;
rule x = y = true ==> x := false; end; --~ ERROR MU002
