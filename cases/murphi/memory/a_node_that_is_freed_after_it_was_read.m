--@ verdict: holds
--@ args: --threads any
-- A removed node is given back by whoever is the last to see it.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
var used: array [Node] of boolean; key: array [Node] of 0..1; a: Pointer; mine: array [Thread] of Pointer; seen: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(a = n | exists i: Thread do mine[i] = n | seen[i] = n end); end;
  for n: Node do if dead[n] then undefine key[n]; used[n] := false; end; end;
end;
startstate
begin
  a := Nil; for n: Node do used[n] := false; end;
  for i: Thread do mine[i] := Nil; seen[i] := Nil; end;
end;
ruleset i: Thread; n: Node do
  rule "take" mine[i] = Nil & !used[n] ==> used[n] := true; key[n] := 0; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "publish" mine[i] != Nil & a = Nil ==> a := mine[i]; mine[i] := Nil; end;
  rule "look" seen[i] = Nil & a != Nil ==> seen[i] := a; end;
  rule "read" seen[i] != Nil ==> assert key[seen[i]] = 0; seen[i] := Nil; collect(); end;
  rule "remove" a != Nil & mine[i] = Nil ==> a := Nil; collect(); end;
end;
