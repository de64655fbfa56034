--@ verdict: violated "not three"
--@ args: --threads any
--@ threads: 3
-- Each of three threads has to put its node on the last one.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
var used: array [Node] of boolean; depth: array [Node] of 0..3; a: Pointer; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(a = n | exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then undefine depth[n]; used[n] := false; end; end;
end;
startstate
begin
  a := Nil; for n: Node do used[n] := false; end;
  for i: Thread do mine[i] := Nil; end;
end;
ruleset i: Thread; n: Node do
  rule "take" mine[i] = Nil & !used[n] ==>
    used[n] := true; depth[n] := 0; mine[i] := n;
    if a != Nil then depth[n] := depth[a]; end;
    if depth[n] < 3 then depth[n] := depth[n] + 1; end;
    a := n; collect();
  end;
end;
invariant "not three" a = Nil | depth[a] < 3;
