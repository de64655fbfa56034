--@ verdict: violated "they never meet"
--@ trace: 2 steps
type point: record x, y: 0..3; end;
var p, q: point;
startstate clear p; q.x := 1; q.y := 1; end;
rule "right" p.x < 3 ==> p.x := p.x + 1; end;
rule "up" p.y < 3 ==> p.y := p.y + 1; end;
invariant "they never meet" p != q;
