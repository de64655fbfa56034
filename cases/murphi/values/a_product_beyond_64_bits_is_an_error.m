--@ verdict: violated "64 bits"
--@ rule: overflow
--@ trace: 1 step
var n: 1..4611686018427387904; fresh: boolean;
startstate n := 1; fresh := true; end;
rule "jump" fresh ==> n := 4611686018427387904; fresh := false; end;
rule "grow" !fresh ==> n := (n * 4) / 4; end;
