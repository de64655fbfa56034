--@ verdict: violated "never five"
--@ engine: explicit --order dfs, explicit --storage compact, explicit --storage bitstate
var x: 0..9;
startstate x := 0; end;
rule "one" x < 9 ==> x := x + 1; end;
rule "two" x < 8 ==> x := x + 2; end;
rule "back" x > 0 ==> x := 0; end;
invariant "never five" x != 5;
