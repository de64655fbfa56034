--@ verdict: violated "the loop turns more often"
--@ trace: 1 step
var x: boolean; y: boolean;
startstate x := false; y := false; end;
rule "set" !x ==> x := true; end;
rule "spin" x ==> while x do y := !y; end; end;
