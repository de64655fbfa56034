--@ verdict: holds
--@ args: --threads any
-- All threads start with the same node, whichever it is.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
var used: array [Node] of boolean; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then used[n] := false; end; end;
end;
ruleset n: Node do
  startstate
  begin
    for m: Node do used[m] := false; end;
    used[n] := true;
    for i: Thread do mine[i] := n; end;
  end;
end;
ruleset i: Thread; n: Node do
  rule "take" mine[i] = Nil & !used[n] ==> used[n] := true; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
