--@ args: --threads any
-- Seven threads may have a node each, and each sees one.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node}; Key: 1..7;
var key: array [Node] of Key; mine: array [Thread] of Pointer; count: 0..20; most: 0..20;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := !isundefined(key[n]) & !(exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then undefine key[n]; end; end;
end;
function counted(n: Node): Key;
begin
  if !isundefined(key[n]) then count := count + 1; end;
  return 1;
end;
startstate begin for i: Thread do mine[i] := Nil; end; count := 0; most := 0; end;
ruleset i: Thread; n: Node; k: Key do
  rule "take" mine[i] = Nil & isundefined(key[n]) ==> key[n] := k; mine[i] := n; end;
end;
ruleset i: Thread do
  rule "drop" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
end;
rule "count"
var ghost: array [Node] of Key;
begin
  count := 0;
  for n: Node do ghost[n] := counted(n); end; --~ ERROR MU023
  most := count; count := 0;
end;
invariant "few nodes" most < 7;
