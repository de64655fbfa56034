-- The optimistic list-based set of Herlihy and Shavit, The Art of Multiprocessor Programming, section 9.6: threads walk
-- without locks, lock two nodes, and walk again to see that they are still in the list.
--
-- locate(arg)                                  contains(arg)
--  1 pred := Head                               1 pred, curr := locate(arg)
--  2 curr := pred.next                          2 result := curr.key = arg *
--  3 while curr.key < arg                       3 pred.unlock()
--  4   pred := curr                             4 curr.unlock()
--  5   curr := curr.next                        5 return result
--  6 pred.lock()
--  7 curr.lock()                               add(arg)
--  8 node := Head                               1 pred, curr := locate(arg)
--  9 while node.key <= pred.key                 2 if curr.key != arg
-- 10   if node = pred                           3   entry := new node
-- 11     if pred.next = curr                    4   entry.key := arg
-- 12       return pred, curr                    5   entry.next := curr
-- 13     else break                             6   pred.next := entry *
-- 14   node := node.next                        7   result := true
-- 15 pred.unlock()                              8 else result := false *
-- 16 curr.unlock(), and again from 1            9 to 11 as 3 to 5 of contains
--
-- remove(arg)
--  1 pred, curr := locate(arg)
--  2 if curr.key = arg
--  3   entry := curr.next
--  4   pred.next := entry *
--  5   result := true
--  6 else result := false *
--  7 to 9 as 3 to 5 of contains
--
-- A star marks a linearization point: the action of that line also calls the sequential set.
-- A line is one action; a line that branches is one rule for each branch. See README.md.

const
  THREADS : 2;
  KEYS : 2;
  NODES : 7; -- cells of memory, Head and Tail not counted
  -- Seeded errors, 0 for none:
  -- 3: the second walk is left out, so that pred may be locked after it was removed;
  -- 4: pred.next = curr is not tested, so that what others linked between the two is lost;
  -- 5: `contains` does not validate, so that it may answer from a part of the list that was removed.
  MUTANT : 0;

type
  Thread : scalarset(THREADS);
  Node : scalarset(NODES);
  Pointer : union {enum {Head, Tail}, Node};
  Owner : union {enum {Unlocked}, Thread};
  Holder : union {enum {Free, Shared}, Thread};
  Key : 1..KEYS;
  NodeKey : 0..KEYS + 1; -- that of Head is the smallest, that of Tail the largest
  Method : enum {Contains, Add, Remove};
  Line : enum {Idle,
    Locate1, Locate2, Locate3, Locate4, Locate5, Locate6, Locate7,
    Locate8, Locate9, Locate10, Locate11, Locate14, Locate15, Locate16,
    Contains2,
    Add2, Add3, Add4, Add5, Add6, Add7, Add8,
    Remove2, Remove3, Remove4, Remove5, Remove6,
    UnlockPred, UnlockCurr, Done};

var
  -- Memory. What a free cell contains is undefined.
  next : array [Pointer] of Pointer;
  key : array [Pointer] of NodeKey;
  lock : array [Pointer] of Owner;
  holder : array [Node] of Holder; -- ghost: Free, or the thread that allocated the node, until it is Shared

  -- The locals of each thread, undefined where they are dead.
  pc : array [Thread] of Line;
  method : array [Thread] of Method; -- which method called `locate`
  arg : array [Thread] of Key;
  pred : array [Thread] of Pointer;
  curr : array [Thread] of Pointer;
  node : array [Thread] of Pointer;
  entry : array [Thread] of Pointer;
  result : array [Thread] of boolean;

  -- The sequential set and what it answered.
  seq_set : array [Key] of boolean;
  seq_result : array [Thread] of boolean;

-- Memory. Here and in invariants alone, all threads and all nodes are gone through.

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
        | (!isundefined(node[i]) & reaches(node[i], n))
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
      undefine lock[n];
      holder[n] := Free;
    end;
  end;
end;

-- The sequential set.

function seq_contains(k : Key) : boolean;
begin
  return seq_set[k];
end;

function seq_add(k : Key) : boolean;
var absent : boolean;
begin
  absent := !seq_set[k];
  seq_set[k] := true;
  return absent;
end;

function seq_remove(k : Key) : boolean;
var present : boolean;
begin
  present := seq_set[k];
  seq_set[k] := false;
  return present;
end;

startstate
begin
  next[Head] := Tail;
  key[Head] := 0;
  lock[Head] := Unlocked;
  key[Tail] := KEYS + 1;
  lock[Tail] := Unlocked;
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
      pc[i] := Locate1;
    end;
  end;

  -- locate

  rule "locate 1: pred := Head" pc[i] = Locate1 ==>
    pred[i] := Head;
    pc[i] := Locate2;
  end;

  rule "locate 2: curr := pred.next" pc[i] = Locate2 ==>
    curr[i] := next[pred[i]];
    pc[i] := Locate3;
  end;

  rule "locate 3: curr.key < arg" pc[i] = Locate3 & key[curr[i]] < arg[i] ==>
    pc[i] := Locate4;
  end;

  rule "locate 3: curr.key >= arg" pc[i] = Locate3 & key[curr[i]] >= arg[i] ==>
    pc[i] := Locate6;
  end;

  rule "locate 4: pred := curr" pc[i] = Locate4 ==>
    pred[i] := curr[i];
    pc[i] := Locate5;
    collect();
  end;

  rule "locate 5: curr := curr.next" pc[i] = Locate5 ==>
    curr[i] := next[curr[i]];
    pc[i] := Locate3;
    collect();
  end;

  rule "locate 6: pred.lock()" pc[i] = Locate6 & lock[pred[i]] = Unlocked ==>
    lock[pred[i]] := i;
    pc[i] := Locate7;
  end;

  rule "locate 7: curr.lock()" pc[i] = Locate7 & lock[curr[i]] = Unlocked ==>
    lock[curr[i]] := i;
    if MUTANT = 5 & method[i] = Contains then
      pc[i] := Contains2;
    else
      pc[i] := Locate8;
    end;
  end;

  rule "locate 8: node := Head" pc[i] = Locate8 ==>
    node[i] := Head;
    pc[i] := Locate9;
  end;

  rule "locate 9: node.key <= pred.key" pc[i] = Locate9 & key[node[i]] <= key[pred[i]] ==>
    pc[i] := Locate10;
  end;

  rule "locate 9: node.key > pred.key" pc[i] = Locate9 & key[node[i]] > key[pred[i]] ==>
    undefine node[i];
    pc[i] := Locate15;
    collect();
  end;

  rule "locate 10: node = pred" pc[i] = Locate10 & (MUTANT = 3 | node[i] = pred[i]) ==>
    undefine node[i];
    pc[i] := Locate11;
    collect();
  end;

  rule "locate 10: node != pred" pc[i] = Locate10 & !(MUTANT = 3 | node[i] = pred[i]) ==>
    pc[i] := Locate14;
  end;

  rule "locate 11: valid, for contains" pc[i] = Locate11
    & method[i] = Contains & (MUTANT = 4 | next[pred[i]] = curr[i]) ==>
    undefine method[i];
    pc[i] := Contains2;
  end;

  rule "locate 11: valid, for add" pc[i] = Locate11 & method[i] = Add & (MUTANT = 4 | next[pred[i]] = curr[i]) ==>
    undefine method[i];
    pc[i] := Add2;
  end;

  rule "locate 11: valid, for remove" pc[i] = Locate11
    & method[i] = Remove & (MUTANT = 4 | next[pred[i]] = curr[i]) ==>
    undefine method[i];
    pc[i] := Remove2;
  end;

  rule "locate 11: pred.next != curr" pc[i] = Locate11 & !(MUTANT = 4 | next[pred[i]] = curr[i]) ==>
    pc[i] := Locate15;
  end;

  rule "locate 14: node := node.next" pc[i] = Locate14 ==>
    node[i] := next[node[i]];
    pc[i] := Locate9;
    collect();
  end;

  rule "locate 15: pred.unlock()" pc[i] = Locate15 ==>
    lock[pred[i]] := Unlocked;
    undefine pred[i];
    pc[i] := Locate16;
    collect();
  end;

  rule "locate 16: curr.unlock()" pc[i] = Locate16 ==>
    lock[curr[i]] := Unlocked;
    undefine curr[i];
    pc[i] := Locate1;
    collect();
  end;

  -- contains

  rule "contains 2: result := curr.key = arg" pc[i] = Contains2 ==>
    result[i] := key[curr[i]] = arg[i];
    seq_result[i] := seq_contains(arg[i]);
    undefine arg[i];
    pc[i] := UnlockPred;
  end;

  -- add

  rule "add 2: curr.key != arg" pc[i] = Add2 & key[curr[i]] != arg[i] ==>
    pc[i] := Add3;
  end;

  rule "add 2: curr.key = arg" pc[i] = Add2 & key[curr[i]] = arg[i] ==>
    pc[i] := Add8;
  end;

  ruleset n : Node do
    rule "add 3: entry := new node" pc[i] = Add3 & holder[n] = Free ==>
      entry[i] := n;
      holder[n] := i;
      lock[n] := Unlocked;
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

  rule "add 6: pred.next := entry" pc[i] = Add6 ==>
    next[pred[i]] := entry[i];
    holder[entry[i]] := Shared;
    seq_result[i] := seq_add(arg[i]);
    undefine entry[i];
    undefine arg[i];
    pc[i] := Add7;
    collect();
  end;

  rule "add 7: result := true" pc[i] = Add7 ==>
    result[i] := true;
    pc[i] := UnlockPred;
  end;

  rule "add 8: result := false" pc[i] = Add8 ==>
    result[i] := false;
    seq_result[i] := seq_add(arg[i]);
    undefine arg[i];
    pc[i] := UnlockPred;
  end;

  -- remove

  rule "remove 2: curr.key = arg" pc[i] = Remove2 & key[curr[i]] = arg[i] ==>
    pc[i] := Remove3;
  end;

  rule "remove 2: curr.key != arg" pc[i] = Remove2 & key[curr[i]] != arg[i] ==>
    pc[i] := Remove6;
  end;

  rule "remove 3: entry := curr.next" pc[i] = Remove3 ==>
    entry[i] := next[curr[i]];
    pc[i] := Remove4;
  end;

  rule "remove 4: pred.next := entry" pc[i] = Remove4 ==>
    next[pred[i]] := entry[i];
    seq_result[i] := seq_remove(arg[i]);
    undefine entry[i];
    undefine arg[i];
    pc[i] := Remove5;
    collect();
  end;

  rule "remove 5: result := true" pc[i] = Remove5 ==>
    result[i] := true;
    pc[i] := UnlockPred;
  end;

  rule "remove 6: result := false" pc[i] = Remove6 ==>
    result[i] := false;
    seq_result[i] := seq_remove(arg[i]);
    undefine arg[i];
    pc[i] := UnlockPred;
  end;

  -- the end of all

  rule "pred.unlock()" pc[i] = UnlockPred ==>
    lock[pred[i]] := Unlocked;
    undefine pred[i];
    pc[i] := UnlockCurr;
    collect();
  end;

  rule "curr.unlock()" pc[i] = UnlockCurr ==>
    lock[curr[i]] := Unlocked;
    undefine curr[i];
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
    seq_set[k] = exists n : Node do holder[n] = Shared & key[n] = k & reaches(Head, n) end
  end;

invariant "the list is sorted"
  forall p : Pointer do
    p != Tail & !isundefined(next[p]) -> key[p] < key[next[p]]
  end;
