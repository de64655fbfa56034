--@ verdict: unknown "a node is lost"
--@ args: --threads any
-- A node that is given back keeps its key, and who takes it has that.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
var used: array [Node] of boolean; key: array [Node] of 0..1; mine: array [Thread] of Pointer;
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
  rule "write" mine[i] != Nil & isundefined(key[mine[i]]) ==> key[mine[i]] := 1; end;
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
