--@ verdict: holds
--@ args: --deadlock off
var a, b, c: boolean;
ruleset i: boolean; j: boolean; k: boolean do
  startstate a := i; b := j; c := k; end;
end;
rule "stay" begin a := a; end;
invariant (a | b & c) = (a | (b & c));
invariant (a & b -> c) = ((a & b) -> c);
invariant (a -> b | c) = (a -> (b | c));
