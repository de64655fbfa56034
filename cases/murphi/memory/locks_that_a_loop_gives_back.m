--@ verdict: holds
--@ args: --threads any
-- Who leaves gives back the locks of all nodes, also of those that only others see by then.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
Owner: union {enum {Nobody}, Thread};
var used: array [Node] of boolean; lock: array [Node] of Owner; a: Pointer; mine: array [Thread] of Pointer;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(a = n | exists i: Thread do mine[i] = n end); end;
  for n: Node do if dead[n] then undefine lock[n]; used[n] := false; end; end;
end;
startstate
begin
  a := Nil;
  for n: Node do used[n] := false; end;
  for i: Thread do mine[i] := Nil; end;
end;
ruleset i: Thread; n: Node do
  rule "take" a = Nil & !used[n] ==> used[n] := true; lock[n] := Nobody; a := n; end;
end;
ruleset i: Thread do
  rule "look" mine[i] = Nil & a != Nil ==> mine[i] := a; end;
  rule "lock" mine[i] != Nil & lock[mine[i]] = Nobody ==> lock[mine[i]] := i; end;
  rule "remove" a != Nil ==> a := Nil; collect(); end;
  rule "forget" mine[i] != Nil ==> mine[i] := Nil; collect(); end;
  rule "leave" mine[i] = Nil ==>
    for n: Node do if !isundefined(lock[n]) & lock[n] = i then lock[n] := Nobody; end; end;
  end;
end;
invariant "a lock is somebody's or nobody's" forall n: Node do used[n] = !isundefined(lock[n]) end;
