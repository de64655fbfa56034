--@ verdict: unknown "nodes are too few"
--@ args: --threads any
-- The queue of Michael and Scott. Who sleeps with a node in hand may see any number of others that were taken out
-- since, each of which points to the next.
const THREADS: 2; NODES: 20;
type Thread: scalarset(THREADS); Node: scalarset(NODES); Pointer: union {enum {Nil}, Node};
Line: enum {Idle, Putting, Getting};
var head: Pointer; tail: Pointer; next: array [Node] of Pointer; used: array [Node] of boolean;
  pc: array [Thread] of Line; h: array [Thread] of Pointer; t: array [Thread] of Pointer; new: array [Thread] of Pointer;
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
  for n: Node do dead[n] := used[n] & !(reaches(head, n) | reaches(tail, n) | exists i: Thread do reaches(h[i], n) | reaches(t[i], n) | reaches(new[i], n) end); end;
  for n: Node do if dead[n] then undefine next[n]; used[n] := false; end; end;
end;
startstate
begin
  head := Nil; tail := Nil;
  for n: Node do used[n] := false; end;
  for i: Thread do pc[i] := Idle; h[i] := Nil; t[i] := Nil; new[i] := Nil; end;
end;
ruleset n: Node do
  rule "first node" head = Nil & !used[n] ==> used[n] := true; next[n] := Nil; head := n; tail := n; end;
end;
ruleset i: Thread; n: Node do
  rule "put: read" pc[i] = Idle & head != Nil & head = tail & !used[n] ==>
    used[n] := true; next[n] := Nil; new[i] := n; t[i] := tail; pc[i] := Putting;
  end;
end;
ruleset i: Thread do
  rule "put: link" pc[i] = Putting & next[t[i]] = Nil & head = t[i] ==>
    next[t[i]] := new[i]; new[i] := Nil; t[i] := Nil; pc[i] := Idle; collect();
  end;
  rule "put: give up" pc[i] = Putting & !(next[t[i]] = Nil & head = t[i]) ==>
    new[i] := Nil; t[i] := Nil; pc[i] := Idle; collect();
  end;
  rule "swing tail" tail != Nil & next[tail] != Nil ==> tail := next[tail]; end;
  rule "get: read" pc[i] = Idle & head != Nil & head != tail ==> h[i] := head; t[i] := next[head]; pc[i] := Getting; end;
  rule "get: swap" pc[i] = Getting & head = h[i] ==>
    head := t[i]; h[i] := Nil; t[i] := Nil; pc[i] := Idle; collect();
  end;
  rule "get: give up" pc[i] = Getting & head != h[i] ==> h[i] := Nil; t[i] := Nil; pc[i] := Idle; collect(); end;
end;
invariant "the tail is not behind the head" head = Nil | tail = head | tail = next[head];
