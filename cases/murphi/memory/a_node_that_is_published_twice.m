--@ verdict: violated "a place for each"
--@ args: --threads any
--@ threads: 1
-- Who put a node there keeps it.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
var used: array [Node] of boolean; a: Pointer; b: Pointer; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(a = n | b = n | exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then used[n] := false; end; end;
end;
startstate
begin
  a := Nil; b := Nil; for n: Node do used[n] := false; end;
  for i: Thread do mine[i] := Nil; end;
end;
ruleset i: Thread; n: Node do
  rule "take" mine[i] = Nil & !used[n] ==> used[n] := true; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "put a" mine[i] != Nil & a = Nil ==> a := mine[i]; mine[i] := Nil; end;
  rule "get a" mine[i] = Nil & a != Nil ==> mine[i] := a; a := Nil; end;
  rule "put b" mine[i] != Nil & b = Nil ==> b := mine[i]; end;
  rule "get b" mine[i] = Nil & b != Nil ==> mine[i] := b; b := Nil; end;
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
invariant "a place for each" a = Nil | a != b;
