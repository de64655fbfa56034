--@ verdict: unknown "a node is lost"
--@ args: --threads any
-- Who drops a node does not look whether anybody else has it.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
var used: array [Node] of boolean; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then used[n] := false; end; end;
end;
startstate
begin
  for n: Node do used[n] := false; end;
  for i: Thread do mine[i] := Nil; end;
end;
ruleset i: Thread; n: Node do
  rule "take" mine[i] = Nil & !used[n] ==> used[n] := true; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "give back" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; end;
end;
