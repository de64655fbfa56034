--@ verdict: violated "y is not 3"
--@ trace: 1 step
--@ engine: explicit, explicit --interpret
var x: -1..1; y: 0..7;
startstate x := 0; y := 0; end;
ruleset i := (0 << x) to 3 do rule "set" y != i ==> begin y := i; end; end;
ruleset i := 7 to 0 * x by -7 do rule "down" y = i ==> begin y := 7 - i; end; end;
invariant "y is not 3" y != 3;
