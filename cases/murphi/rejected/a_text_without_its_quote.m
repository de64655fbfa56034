-- The mistake stays on its line.
var x : boolean;
startstate x := true; end;
rule "flip begin --~ ERROR MU001
  x := !x;
end;
