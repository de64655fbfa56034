--@ verdict: holds
type left: scalarset(2); right: scalarset(2); both: union { left, right };
var x: both; n: 0..1;
startstate undefine x; n := 0; end;
ruleset l: left do rule "left" begin x := l; n := 0; end; end;
ruleset r: right do rule "right" begin x := r; n := 1; end; end;
invariant !isundefined(x) -> (ismember(x, left) -> n = 0) & (ismember(x, right) -> n = 1);
