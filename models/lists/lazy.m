-- The lazy list-based set of Heller, Herlihy, Luchangco, Moir, Scherer and Shavit, as in Herlihy and Shavit, The Art of
-- Multiprocessor Programming, section 9.7; lines numbered as in Fig. 3 of Sethi, Talupur, Schwartz-Narbonne and Malik,
-- Parameterized Model Checking of Fine Grained Concurrency.
--
-- contains(arg)                               locate(arg)
--  1 curr := Head                              2 pred := Head
--  2 while curr.key < arg                      3 curr := pred.next
--  3   curr := curr.next                       4 while curr.key < arg
--  4 if curr.key = arg and not curr.marked *   5   pred := curr
--  7   return true                             6   curr := curr.next
--  9 else return false                         7 pred.lock()
--                                              8 curr.lock()
-- add(arg)                                     9 if not pred.marked and not curr.marked
--  1 pred, curr := locate(arg)                      and pred.next = curr
--  2 if curr.key != arg                       12   return pred, curr
--  3   entry := new node                      14 else pred.unlock()
--  4   entry.key := arg                       15   curr.unlock(), and again from 2
--  5   entry.next := curr
--  6   pred.next := entry *                   remove(arg)
--  8   result := true                          1 pred, curr := locate(arg)
-- 10 else result := false *                    2 if curr.key = arg
-- 12 pred.unlock()                             3   curr.marked := true *
-- 13 curr.unlock()                             5   entry := curr.next
-- 14 return result                             6   pred.next := entry
--                                              7   result := true
--                                              9 else result := false *
--                                             11 to 13 as 12 to 14 of add
--
-- A star marks a linearization point: the action of that line also calls the sequential set. `contains` that returns
-- false has no fixed one: it is right if the set was without the key at some time since the call (`was_absent`).
-- A line is one action; a line that branches is one rule for each branch. See README.md.

const
  THREADS : 2;
  KEYS : 2;
  NODES : 5; -- cells of memory, Head and Tail not counted
  -- Seeded errors, 0 for none:
  -- 6: `contains` does not look at the mark, so that it finds a key that was removed before the call;
  -- 7: `locate` does not test pred.marked, so that nodes are linked behind one that was removed;
  -- 8: `locate` does not test pred.next = curr, so that what others linked between the two is lost.
  -- 11 is not an error: `locate` does not test curr.marked. Whoever marks a node unlinks it before others can lock it.
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
    Contains1, Contains2, Contains3, Contains4,
    Locate2, Locate3, Locate4, Locate5, Locate6, Locate7, Locate8, Locate9, Locate14, Locate15,
    Add2, Add3, Add4, Add5, Add6, Add8, Add10,
    Remove2, Remove3, Remove5, Remove6, Remove7, Remove9,
    UnlockPred, UnlockCurr, Done};

var
  -- Memory. What a free cell contains is undefined.
  next : array [Pointer] of Pointer;
  key : array [Pointer] of NodeKey;
  marked : array [Pointer] of boolean;
  lock : array [Pointer] of Owner;
  holder : array [Node] of Holder; -- ghost: Free, or the thread that allocated the node, until it is Shared

  -- The locals of each thread, undefined where they are dead.
  pc : array [Thread] of Line;
  method : array [Thread] of Method; -- which method called `locate`
  arg : array [Thread] of Key;
  pred : array [Thread] of Pointer;
  curr : array [Thread] of Pointer;
  entry : array [Thread] of Pointer;
  result : array [Thread] of boolean;

  -- The sequential set and what it answered.
  seq_set : array [Key] of boolean;
  seq_result : array [Thread] of boolean;
  was_absent : array [Thread] of boolean; -- of `contains`: was the set without `arg` since the call?

-- Memory. Here, in invariants and in `note_absence` alone, all threads or all nodes are gone through.

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
      undefine lock[n];
      holder[n] := Free;
    end;
  end;
end;

-- The sequential set.

-- What `contains` saw is kept up to date by whoever takes the key out of the set. If a thread only looked at `seq_set`
-- in its own actions, it would miss a removal of the key that is followed by an addition before its next action.
procedure note_absence(k : Key);
begin
  for i : Thread do
    if !isundefined(was_absent[i]) & arg[i] = k then
      was_absent[i] := true;
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
  return absent;
end;

function seq_remove(k : Key) : boolean;
var present : boolean;
begin
  present := seq_set[k];
  seq_set[k] := false;
  note_absence(k);
  return present;
end;

-- Line 9 of `locate`.
function valid(pred : Pointer; curr : Pointer) : boolean;
begin
  return (MUTANT = 7 | !marked[pred])
    & (MUTANT = 11 | !marked[curr])
    & (MUTANT = 8 | next[pred] = curr);
end;

startstate
begin
  next[Head] := Tail;
  key[Head] := 0;
  marked[Head] := false;
  lock[Head] := Unlocked;
  key[Tail] := KEYS + 1;
  marked[Tail] := false;
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

  -- contains

  ruleset k : Key do
    rule "contains: call" pc[i] = Idle ==>
      arg[i] := k;
      was_absent[i] := !seq_set[k];
      pc[i] := Contains1;
    end;
  end;

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

  rule "contains 4: return true" pc[i] = Contains4
    & key[curr[i]] = arg[i] & (MUTANT = 6 | !marked[curr[i]]) ==>
    result[i] := true;
    seq_result[i] := seq_contains(arg[i]);
    undefine curr[i];
    undefine arg[i];
    undefine was_absent[i];
    pc[i] := Done;
    collect();
  end;

  rule "contains 4: return false" pc[i] = Contains4
    & !(key[curr[i]] = arg[i] & (MUTANT = 6 | !marked[curr[i]])) ==>
    result[i] := false;
    seq_result[i] := !was_absent[i];
    undefine curr[i];
    undefine arg[i];
    undefine was_absent[i];
    pc[i] := Done;
    collect();
  end;

  -- locate

  ruleset m : Method; k : Key do
    rule "add or remove: call" pc[i] = Idle & m != Contains ==>
      method[i] := m;
      arg[i] := k;
      pc[i] := Locate2;
    end;
  end;

  rule "locate 2: pred := Head" pc[i] = Locate2 ==>
    pred[i] := Head;
    pc[i] := Locate3;
  end;

  rule "locate 3: curr := pred.next" pc[i] = Locate3 ==>
    curr[i] := next[pred[i]];
    pc[i] := Locate4;
  end;

  rule "locate 4: curr.key < arg" pc[i] = Locate4 & key[curr[i]] < arg[i] ==>
    pc[i] := Locate5;
  end;

  rule "locate 4: curr.key >= arg" pc[i] = Locate4 & key[curr[i]] >= arg[i] ==>
    pc[i] := Locate7;
  end;

  rule "locate 5: pred := curr" pc[i] = Locate5 ==>
    pred[i] := curr[i];
    pc[i] := Locate6;
    collect();
  end;

  rule "locate 6: curr := curr.next" pc[i] = Locate6 ==>
    curr[i] := next[curr[i]];
    pc[i] := Locate4;
    collect();
  end;

  rule "locate 7: pred.lock()" pc[i] = Locate7 & lock[pred[i]] = Unlocked ==>
    lock[pred[i]] := i;
    pc[i] := Locate8;
  end;

  rule "locate 8: curr.lock()" pc[i] = Locate8 & lock[curr[i]] = Unlocked ==>
    lock[curr[i]] := i;
    pc[i] := Locate9;
  end;

  rule "locate 9: valid, for add" pc[i] = Locate9 & method[i] = Add
    & valid(pred[i], curr[i]) ==>
    undefine method[i];
    pc[i] := Add2;
  end;

  rule "locate 9: valid, for remove" pc[i] = Locate9 & method[i] = Remove
    & valid(pred[i], curr[i]) ==>
    undefine method[i];
    pc[i] := Remove2;
  end;

  rule "locate 9: not valid" pc[i] = Locate9
    & !valid(pred[i], curr[i]) ==>
    pc[i] := Locate14;
  end;

  rule "locate 14: pred.unlock()" pc[i] = Locate14 ==>
    lock[pred[i]] := Unlocked;
    undefine pred[i];
    pc[i] := Locate15;
    collect();
  end;

  rule "locate 15: curr.unlock()" pc[i] = Locate15 ==>
    lock[curr[i]] := Unlocked;
    undefine curr[i];
    pc[i] := Locate2;
    collect();
  end;

  -- add

  rule "add 2: curr.key != arg" pc[i] = Add2 & key[curr[i]] != arg[i] ==>
    pc[i] := Add3;
  end;

  rule "add 2: curr.key = arg" pc[i] = Add2 & key[curr[i]] = arg[i] ==>
    pc[i] := Add10;
  end;

  ruleset n : Node do
    rule "add 3: entry := new node" pc[i] = Add3 & holder[n] = Free ==>
      entry[i] := n;
      holder[n] := i;
      marked[n] := false;
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
    pc[i] := Add8;
    collect();
  end;

  rule "add 8: result := true" pc[i] = Add8 ==>
    result[i] := true;
    pc[i] := UnlockPred;
  end;

  rule "add 10: result := false" pc[i] = Add10 ==>
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
    pc[i] := Remove9;
  end;

  rule "remove 3: curr.marked := true" pc[i] = Remove3 ==>
    marked[curr[i]] := true;
    seq_result[i] := seq_remove(arg[i]);
    undefine arg[i];
    pc[i] := Remove5;
  end;

  rule "remove 5: entry := curr.next" pc[i] = Remove5 ==>
    entry[i] := next[curr[i]];
    pc[i] := Remove6;
  end;

  rule "remove 6: pred.next := entry" pc[i] = Remove6 ==>
    next[pred[i]] := entry[i];
    undefine entry[i];
    pc[i] := Remove7;
    collect();
  end;

  rule "remove 7: result := true" pc[i] = Remove7 ==>
    result[i] := true;
    pc[i] := UnlockPred;
  end;

  rule "remove 9: result := false" pc[i] = Remove9 ==>
    result[i] := false;
    seq_result[i] := seq_remove(arg[i]);
    undefine arg[i];
    pc[i] := UnlockPred;
  end;

  -- the end of both

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
    seq_set[k] = exists n : Node do holder[n] = Shared & key[n] = k & !marked[n] & reaches(Head, n) end
  end;

invariant "the list is sorted"
  forall p : Pointer do
    p != Tail & !isundefined(next[p]) -> key[p] < key[next[p]]
  end;
