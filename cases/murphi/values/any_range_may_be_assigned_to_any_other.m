--@ verdict: violated "value out of range: `low` is `0..4`"
--@ trace: 4 steps
-- Ranges are checked when the value is known.
var low: 0..4; high: 0..9;
startstate low := 0; high := 0; end;
rule "step" begin high := high + 1; low := high; end;
