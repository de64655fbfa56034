-- WRONG: the CAS with which `find` unlinks a marked node (line 5) does not compare the mark that is in the same word as
-- pred.next, and neither does that of `remove` (line 5). The mark is overwritten: a removed node is back in the set.
-- Otherwise this is lock_free.m.
--
-- The lock-free list-based set of Harris and Michael as in Herlihy and Shavit, The Art of Multiprocessor Programming,
-- section 9.8. A node's `next` and `marked` are one word: they are read, compared and set together.
--
-- find(arg)                                    contains(arg)
--  1 pred := Head                               1 curr := Head
--  2 curr := pred.next                          2 while curr.key < arg
--  3 succ, mark := curr.next, curr.marked       3   curr := curr.next
--  4 if mark                                    4 return curr.key = arg and not curr.marked *
--  5   if CAS'(pred, curr, succ)
--  6     curr := succ, and again from 3        remove(arg)
--      else again from 1                        1 pred, curr := find(arg)
--  7 if curr.key >= arg return pred, curr       2 if curr.key != arg return false
--  8 pred := curr                               3 succ := curr.next
--  9 curr := succ, and again from 3             4 if curr.next = succ and not curr.marked
--                                                    then curr.marked := true (atomically) *
-- add(arg)                                         else again from 1
--  1 pred, curr := find(arg)                    5 CAS'(pred, curr, succ)
--  2 if curr.key = arg return false             6 return true
--  3 entry := new node
--  4 entry.key := arg                          CAS(p, old, new), atomically:
--  5 entry.next := curr                           if p.next = old and not p.marked
--  6 if CAS(pred, curr, entry) * return true         then p.next := new, and succeed
--    else again from 1                               else fail
--                                              CAS': the same without `and not p.marked`, and p.marked := false
--
-- A star marks a linearization point: the action of that line also calls the sequential set. A method that fails
-- (returns false) has no fixed one: it is right if a call of the sequential set would have failed at some time since the
-- method was called (`may_fail`). A line is one action; a line that branches is one rule for each branch. See README.md.

const
  THREADS : 2;
  KEYS : 2;
  NODES : 5; -- cells of memory, Head and Tail not counted

type
  Thread : scalarset(THREADS);
  Node : scalarset(NODES);
  Pointer : union {enum {Head, Tail}, Node};
  Holder : union {enum {Free, Shared}, Thread};
  Key : 1..KEYS;
  NodeKey : 0..KEYS + 1; -- that of Head is the smallest, that of Tail the largest
  Method : enum {Contains, Add, Remove};
  Line : enum {Idle,
    Contains1, Contains2, Contains3, Contains4,
    Find1, Find2, Find3, Find4, Find5, Find6, Find7, Find8, Find9,
    Add2, Add3, Add4, Add5, Add6,
    Remove2, Remove3, Remove4, Remove5,
    Done};

var
  -- Memory. What a free cell contains is undefined.
  next : array [Pointer] of Pointer;
  key : array [Pointer] of NodeKey;
  marked : array [Pointer] of boolean;
  holder : array [Node] of Holder; -- ghost: Free, or the thread that allocated the node, until it is Shared

  -- The locals of each thread, undefined where they are dead.
  pc : array [Thread] of Line;
  method : array [Thread] of Method;
  arg : array [Thread] of Key;
  pred : array [Thread] of Pointer;
  curr : array [Thread] of Pointer;
  succ : array [Thread] of Pointer;
  mark : array [Thread] of boolean;
  entry : array [Thread] of Pointer;
  result : array [Thread] of boolean;

  -- The sequential set and what it answered.
  seq_set : array [Key] of boolean;
  seq_result : array [Thread] of boolean;
  may_fail : array [Thread] of boolean; -- would `method` of the sequential set have failed at some time since the call?

-- Memory. Here, in invariants and in `note_change` alone, all threads or all nodes are gone through.

function reaches(from : Pointer; target : Pointer) : boolean;
var at : Pointer;
begin
  at := from;
  while at != target & at != Tail & !isundefined(next[at]) do
    at := next[at];
  end;
  return at = target;
end;

function referenced(n : Node) : boolean;
begin
  return reaches(Head, n)
    | exists i : Thread do
        (!isundefined(pred[i]) & reaches(pred[i], n))
        | (!isundefined(curr[i]) & reaches(curr[i], n))
        | (!isundefined(succ[i]) & reaches(succ[i], n))
        | (!isundefined(entry[i]) & reaches(entry[i], n))
      end;
end;

-- The garbage collector. It runs within each action after which a node may be out of reach, so that what a dead node
-- contained is in no state.
procedure collect();
var dead : array [Node] of boolean;
begin
  for n : Node do
    dead[n] := holder[n] != Free & !referenced(n);
  end;
  for n : Node do
    if dead[n] then
      undefine next[n];
      undefine key[n];
      undefine marked[n];
      holder[n] := Free;
    end;
  end;
end;

-- The sequential set.

function would_fail(m : Method; k : Key) : boolean;
begin
  return (m = Add) = seq_set[k];
end;

-- What the methods of all threads saw is kept up to date by whoever changes the set. If a thread only looked at
-- `seq_set` in its own actions, it would miss what lasts no longer than from one of them to the next.
procedure note_change(k : Key);
begin
  for i : Thread do
    if !isundefined(may_fail[i]) & arg[i] = k & would_fail(method[i], k) then
      may_fail[i] := true;
    end;
  end;
end;

function seq_contains(k : Key) : boolean;
begin
  return seq_set[k];
end;

function seq_add(k : Key) : boolean;
var absent : boolean;
begin
  absent := !seq_set[k];
  seq_set[k] := true;
  note_change(k);
  return absent;
end;

function seq_remove(k : Key) : boolean;
var present : boolean;
begin
  present := seq_set[k];
  seq_set[k] := false;
  note_change(k);
  return present;
end;

startstate
begin
  next[Head] := Tail;
  key[Head] := 0;
  marked[Head] := false;
  next[Tail] := Tail; -- read, never followed
  key[Tail] := KEYS + 1;
  marked[Tail] := false;
  for n : Node do
    holder[n] := Free;
  end;
  for i : Thread do
    pc[i] := Idle;
  end;
  for k : Key do
    seq_set[k] := false;
  end;
end;

ruleset i : Thread do

  ruleset m : Method; k : Key do
    rule "call" pc[i] = Idle ==>
      method[i] := m;
      arg[i] := k;
      may_fail[i] := would_fail(m, k);
      pc[i] := m = Contains ? Contains1 : Find1;
    end;
  end;

  -- contains

  rule "contains 1: curr := Head" pc[i] = Contains1 ==>
    curr[i] := Head;
    pc[i] := Contains2;
  end;

  rule "contains 2: curr.key < arg" pc[i] = Contains2 & key[curr[i]] < arg[i] ==>
    pc[i] := Contains3;
  end;

  rule "contains 2: curr.key >= arg" pc[i] = Contains2 & key[curr[i]] >= arg[i] ==>
    pc[i] := Contains4;
  end;

  rule "contains 3: curr := curr.next" pc[i] = Contains3 ==>
    curr[i] := next[curr[i]];
    pc[i] := Contains2;
    collect();
  end;

  rule "contains 4: return true" pc[i] = Contains4 & key[curr[i]] = arg[i] & !marked[curr[i]] ==>
    result[i] := true;
    seq_result[i] := seq_contains(arg[i]);
    undefine method[i];
    undefine arg[i];
    undefine may_fail[i];
    undefine curr[i];
    pc[i] := Done;
    collect();
  end;

  rule "contains 4: return false" pc[i] = Contains4 & !(key[curr[i]] = arg[i] & !marked[curr[i]]) ==>
    result[i] := false;
    seq_result[i] := !may_fail[i];
    undefine method[i];
    undefine arg[i];
    undefine may_fail[i];
    undefine curr[i];
    pc[i] := Done;
    collect();
  end;

  -- find

  rule "find 1: pred := Head" pc[i] = Find1 ==>
    pred[i] := Head;
    pc[i] := Find2;
  end;

  rule "find 2: curr := pred.next" pc[i] = Find2 ==>
    curr[i] := next[pred[i]];
    pc[i] := Find3;
  end;

  rule "find 3: succ, mark := curr.next, curr.marked" pc[i] = Find3 ==>
    succ[i] := next[curr[i]];
    mark[i] := marked[curr[i]];
    pc[i] := Find4;
  end;

  rule "find 4: mark" pc[i] = Find4 & mark[i] ==>
    undefine mark[i];
    pc[i] := Find5;
  end;

  rule "find 4: not mark" pc[i] = Find4 & !mark[i] ==>
    undefine mark[i];
    pc[i] := Find7;
  end;

  rule "find 5: unlink curr" pc[i] = Find5 & next[pred[i]] = curr[i] ==>
    next[pred[i]] := succ[i];
    marked[pred[i]] := false;
    undefine curr[i];
    pc[i] := Find6;
    collect();
  end;

  rule "find 5: do not unlink curr" pc[i] = Find5 & next[pred[i]] != curr[i] ==>
    undefine pred[i];
    undefine curr[i];
    undefine succ[i];
    pc[i] := Find1;
    collect();
  end;

  rule "find 6: curr := succ" pc[i] = Find6 ==>
    curr[i] := succ[i];
    undefine succ[i];
    pc[i] := Find3;
  end;

  rule "find 7: return, for add" pc[i] = Find7 & key[curr[i]] >= arg[i] & method[i] = Add ==>
    undefine succ[i];
    pc[i] := Add2;
    collect();
  end;

  rule "find 7: return, for remove" pc[i] = Find7 & key[curr[i]] >= arg[i] & method[i] = Remove ==>
    undefine succ[i];
    pc[i] := Remove2;
    collect();
  end;

  rule "find 7: curr.key < arg" pc[i] = Find7 & key[curr[i]] < arg[i] ==>
    pc[i] := Find8;
  end;

  rule "find 8: pred := curr" pc[i] = Find8 ==>
    pred[i] := curr[i];
    undefine curr[i];
    pc[i] := Find9;
    collect();
  end;

  rule "find 9: curr := succ" pc[i] = Find9 ==>
    curr[i] := succ[i];
    undefine succ[i];
    pc[i] := Find3;
  end;

  -- add

  rule "add 2: return false" pc[i] = Add2 & key[curr[i]] = arg[i] ==>
    result[i] := false;
    seq_result[i] := !may_fail[i];
    undefine method[i];
    undefine arg[i];
    undefine may_fail[i];
    undefine pred[i];
    undefine curr[i];
    pc[i] := Done;
    collect();
  end;

  rule "add 2: curr.key != arg" pc[i] = Add2 & key[curr[i]] != arg[i] ==>
    pc[i] := Add3;
  end;

  ruleset n : Node do
    rule "add 3: entry := new node" pc[i] = Add3 & holder[n] = Free ==>
      entry[i] := n;
      holder[n] := i;
      marked[n] := false;
      pc[i] := Add4;
    end;
  end;

  rule "add 4: entry.key := arg" pc[i] = Add4 ==>
    key[entry[i]] := arg[i];
    pc[i] := Add5;
  end;

  rule "add 5: entry.next := curr" pc[i] = Add5 ==>
    next[entry[i]] := curr[i];
    pc[i] := Add6;
  end;

  rule "add 6: link entry, return true" pc[i] = Add6 & next[pred[i]] = curr[i] & !marked[pred[i]] ==>
    next[pred[i]] := entry[i];
    holder[entry[i]] := Shared;
    result[i] := true;
    seq_result[i] := seq_add(arg[i]);
    undefine method[i];
    undefine arg[i];
    undefine may_fail[i];
    undefine pred[i];
    undefine curr[i];
    undefine entry[i];
    pc[i] := Done;
    collect();
  end;

  rule "add 6: do not link entry" pc[i] = Add6 & !(next[pred[i]] = curr[i] & !marked[pred[i]]) ==>
    undefine pred[i];
    undefine curr[i];
    undefine entry[i];
    pc[i] := Find1;
    collect();
  end;

  -- remove

  rule "remove 2: return false" pc[i] = Remove2 & key[curr[i]] != arg[i] ==>
    result[i] := false;
    seq_result[i] := !may_fail[i];
    undefine method[i];
    undefine arg[i];
    undefine may_fail[i];
    undefine pred[i];
    undefine curr[i];
    pc[i] := Done;
    collect();
  end;

  rule "remove 2: curr.key = arg" pc[i] = Remove2 & key[curr[i]] = arg[i] ==>
    pc[i] := Remove3;
  end;

  rule "remove 3: succ := curr.next" pc[i] = Remove3 ==>
    succ[i] := next[curr[i]];
    pc[i] := Remove4;
  end;

  rule "remove 4: mark curr" pc[i] = Remove4 & next[curr[i]] = succ[i] & !marked[curr[i]] ==>
    marked[curr[i]] := true;
    seq_result[i] := seq_remove(arg[i]);
    undefine method[i];
    undefine arg[i];
    undefine may_fail[i];
    pc[i] := Remove5;
  end;

  rule "remove 4: do not mark curr" pc[i] = Remove4
    & !(next[curr[i]] = succ[i] & !marked[curr[i]]) ==>
    undefine pred[i];
    undefine curr[i];
    undefine succ[i];
    pc[i] := Find1;
    collect();
  end;

  rule "remove 5: unlink curr, return true" pc[i] = Remove5 & next[pred[i]] = curr[i] ==>
    next[pred[i]] := succ[i];
    marked[pred[i]] := false;
    result[i] := true;
    undefine pred[i];
    undefine curr[i];
    undefine succ[i];
    pc[i] := Done;
    collect();
  end;

  rule "remove 5: do not unlink curr, return true" pc[i] = Remove5 & next[pred[i]] != curr[i] ==>
    result[i] := true;
    undefine pred[i];
    undefine curr[i];
    undefine succ[i];
    pc[i] := Done;
    collect();
  end;

  rule "return result" pc[i] = Done ==>
    undefine result[i];
    undefine seq_result[i];
    pc[i] := Idle;
  end;

  invariant "linearizable"
    pc[i] = Done -> result[i] = seq_result[i];

  invariant "memory suffices"
    pc[i] = Add3 -> exists n : Node do holder[n] = Free end;
end;

invariant "the list contains the set"
  forall k : Key do
    seq_set[k] = exists n : Node do holder[n] = Shared & key[n] = k & !marked[n] & reaches(Head, n) end
  end;

invariant "the list is sorted"
  forall p : Pointer do
    p != Tail & !isundefined(next[p]) -> key[p] < key[next[p]]
  end;
