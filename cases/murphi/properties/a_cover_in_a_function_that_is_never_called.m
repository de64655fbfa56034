--@ verdict: violated "never called"
--@ trace: 0 steps
-- As in rumur, a statement that nothing executes is not covered.
var x: boolean;
procedure unused(); begin cover true "never called"; end;
startstate x := false; end;
rule "flip" x := !x; end;
