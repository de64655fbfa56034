--@ verdict: holds
--@ args: --threads any
-- Treiber's stack of at most two nodes: what was read of a node that is still on top is true of it.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
Line: enum {Idle, Push, Pop};
var top: Pointer; next: array [Node] of Pointer; used: array [Node] of boolean;
  pc: array [Thread] of Line; old: array [Thread] of Pointer; new: array [Thread] of Pointer;
function reaches(from: Pointer; n: Node): boolean;
var at: Pointer;
begin
  at := from;
  while at != Nil & at != n do at := next[at]; end;
  return at = n;
end;
procedure collect();
var dead: array [Node] of boolean;
begin
  for n: Node do dead[n] := used[n] & !(reaches(top, n) | exists i: Thread do reaches(old[i], n) | reaches(new[i], n) end); end;
  for n: Node do if dead[n] then undefine next[n]; used[n] := false; end; end;
end;
startstate
begin
  top := Nil;
  for n: Node do used[n] := false; end;
  for i: Thread do pc[i] := Idle; old[i] := Nil; new[i] := Nil; end;
end;
ruleset i: Thread; n: Node do
  rule "push: read" pc[i] = Idle & !used[n] & (top = Nil | next[top] = Nil) ==>
    used[n] := true; new[i] := n; old[i] := top; next[n] := top; pc[i] := Push;
  end;
end;
ruleset i: Thread do
  rule "push: swap" pc[i] = Push & top = old[i] ==>
    top := new[i]; new[i] := Nil; old[i] := Nil; pc[i] := Idle; collect();
  end;
  rule "push: give up" pc[i] = Push & top != old[i] ==>
    new[i] := Nil; old[i] := Nil; pc[i] := Idle; collect();
  end;
  rule "pop: read" pc[i] = Idle & top != Nil ==> old[i] := top; new[i] := next[top]; pc[i] := Pop; end;
  rule "pop: swap" pc[i] = Pop & top = old[i] ==>
    assert next[top] = new[i];
    top := new[i]; new[i] := Nil; old[i] := Nil; pc[i] := Idle; collect();
  end;
  rule "pop: give up" pc[i] = Pop & top != old[i] ==>
    new[i] := Nil; old[i] := Nil; pc[i] := Idle; collect();
  end;
end;
invariant "at most two nodes" top = Nil | next[top] = Nil | next[next[top]] = Nil;
