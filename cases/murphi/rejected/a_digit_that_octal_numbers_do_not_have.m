var x : 0 .. 09; --~ ERROR MU001
startstate x := 1; end;
rule x := 1 - x; end;
