--@ verdict: holds
--@ states: 9
-- Constants and types may be declared together, as rumur has it. The types are one type.
const Low, First,: 0;
type pos, mark: record a, b,: Low..2 end;
var p: pos; m: mark;
startstate p.a := First; p.b := Low; m := p; end;
rule "a" begin p.a := (p.a + 1) % 3; m := p; end;
rule "b" begin p.b := (p.b + 1) % 3; m := p; end;
invariant p = m;
