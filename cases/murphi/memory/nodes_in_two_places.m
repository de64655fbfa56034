--@ verdict: holds
--@ args: --threads any
-- A node says whose it is; it is in one of two places, or somebody has it.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
  Owner: union {enum {Nobody}, Thread};
var used: array [Node] of boolean; owner: array [Node] of Owner; a: Pointer; b: Pointer; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(a = n | b = n | exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then undefine owner[n]; used[n] := false; end; end;
end;
startstate
begin
  a := Nil; b := Nil; for n: Node do used[n] := false; end;
  for i: Thread do mine[i] := Nil; end;
end;
ruleset i: Thread; n: Node do
  rule "take" mine[i] = Nil & !used[n] ==> used[n] := true; mine[i] := n; owner[n] := i; end;
end;
ruleset i: Thread do
  rule "put a" mine[i] != Nil & a = Nil ==> a := mine[i]; owner[a] := Nobody; mine[i] := Nil; end;
  rule "get a" mine[i] = Nil & a != Nil ==> mine[i] := a; owner[a] := i; a := Nil; end;
  rule "put b" mine[i] != Nil & b = Nil ==> b := mine[i]; owner[b] := Nobody; mine[i] := Nil; end;
  rule "get b" mine[i] = Nil & b != Nil ==> mine[i] := b; owner[b] := i; b := Nil; end;
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
invariant "a place for each" a = Nil | a != b;
invariant "what lies there is nobody's" (a = Nil | owner[a] = Nobody) & (b = Nil | owner[b] = Nobody);
invariant "whose it is" forall i: Thread do mine[i] = Nil | owner[mine[i]] = i end;
invariant "nobody has what lies there" forall i: Thread do mine[i] = Nil | (mine[i] != a & mine[i] != b) end;
