--@ args: --threads any
-- Seven threads may use all keys, and each sees the node of one.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node}; Key: 1..7;
var key: array [Node] of Key; mine: array [Thread] of Pointer; is_left: boolean;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := !isundefined(key[n]) & !(exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then undefine key[n]; end; end;
end;
startstate begin for i: Thread do mine[i] := Nil; end; is_left := true; end;
ruleset i: Thread; n: Node; k: Key do
  rule "take" mine[i] = Nil & isundefined(key[n]) ==> key[n] := k; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
rule "is a key left?"
var has: array [Node] of boolean; none: array [Node] of boolean;
begin
  is_left := false;
  for k: Key do
    for n: Node do has[n] := !isundefined(key[n]) & key[n] = k; end;
    for n: Node do none[n] := false; end;
    if has = none then is_left := true; end; --~ ERROR MU023
  end;
end;
invariant "a key is left" is_left;
