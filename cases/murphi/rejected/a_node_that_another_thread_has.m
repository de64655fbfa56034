--@ args: --threads any
-- A view does not show what others have names of.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
var used: array [Node] of boolean; last: Thread; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then used[n] := false; end; end;
end;
ruleset l: Thread do startstate
begin
  last := l;
  for n: Node do used[n] := false; end;
  for i: Thread do mine[i] := Nil; end;
end end;
ruleset i: Thread; n: Node do
  rule "take" mine[i] = Nil & !used[n] ==> used[n] := true; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
ruleset i: Thread do
  rule "copy" mine[i] = Nil ==> mine[i] := mine[last]; last := i; end; --~ ERROR MU023
end;
