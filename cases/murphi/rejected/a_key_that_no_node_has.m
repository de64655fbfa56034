--@ args: --threads any
-- Seven threads may use all keys, and each sees the node of one.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node}; Key: 1..7;
var key: array [Node] of Key; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := !isundefined(key[n]) & !(exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then undefine key[n]; end; end;
end;
startstate begin for i: Thread do mine[i] := Nil; end;  end;
ruleset i: Thread; n: Node; k: Key do
  rule "take" mine[i] = Nil & isundefined(key[n]) ==> key[n] := k; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
invariant "a key is left" --~ ERROR MU023
  exists k: Key do forall n: Node do isundefined(key[n]) | key[n] != k end end;
