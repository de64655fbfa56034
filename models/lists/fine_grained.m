-- The fine-grained list-based set of Herlihy and Shavit, The Art of Multiprocessor Programming, section 9.5:
-- hand-over-hand locking, in which a thread gives up the lock of a node only while it has that of the next one.
--
-- locate(arg)                                  contains(arg)
--  1 pred := Head                               1 pred, curr := locate(arg)
--  2 pred.lock()                                2 result := curr.key = arg *
--  3 curr := pred.next                          3 pred.unlock()
--  4 curr.lock()                                4 curr.unlock()
--  5 while curr.key < arg                       5 return result
--  6   pred.unlock()
--  7   pred := curr                            add(arg)
--  8   curr := curr.next                        1 pred, curr := locate(arg)
--  9   curr.lock()                              2 if curr.key != arg
-- 10 return pred, curr                          3   entry := new node
--                                               4   entry.key := arg
-- remove(arg)                                   5   entry.next := curr
--  1 pred, curr := locate(arg)                  6   pred.next := entry *
--  2 if curr.key = arg                          7   result := true
--  3   entry := curr.next                       8 else result := false *
--  4   pred.next := entry *                     9 to 11 as 3 to 5 of contains
--  5   result := true
--  6 else result := false *
--  7 to 9 as 3 to 5 of contains
--
-- A star marks a linearization point: the action of that line also calls the sequential set.
-- A line is one action; a line that branches is one rule for each branch. See README.md.

const
  THREADS : 2;
  KEYS : 2;
  NODES : 4; -- cells of memory, Head and Tail not counted
  -- Seeded errors, 0 for none:
  -- 1: `locate` does not wait for the lock of the first node, so a thread changes `next` of a node that it did not lock;
  -- 2: `add` gives up the lock of pred before it links, so that what others link or unlink there is lost.
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
    Locate1, Locate2, Locate3, Locate4, Locate5, Locate6, Locate7, Locate8, Locate9, Locate10,
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

  rule "locate 2: pred.lock()" pc[i] = Locate2 & lock[pred[i]] = Unlocked ==>
    lock[pred[i]] := i;
    pc[i] := Locate3;
  end;

  rule "locate 3: curr := pred.next" pc[i] = Locate3 ==>
    curr[i] := next[pred[i]];
    pc[i] := Locate4;
  end;

  rule "locate 4: curr.lock()" pc[i] = Locate4 & (MUTANT = 1 | lock[curr[i]] = Unlocked) ==>
    lock[curr[i]] := i;
    pc[i] := Locate5;
  end;

  rule "locate 5: curr.key < arg" pc[i] = Locate5 & key[curr[i]] < arg[i] ==>
    pc[i] := Locate6;
  end;

  rule "locate 5: curr.key >= arg" pc[i] = Locate5 & key[curr[i]] >= arg[i] ==>
    pc[i] := Locate10;
  end;

  rule "locate 6: pred.unlock()" pc[i] = Locate6 ==>
    lock[pred[i]] := Unlocked;
    undefine pred[i];
    pc[i] := Locate7;
    collect();
  end;

  rule "locate 7: pred := curr" pc[i] = Locate7 ==>
    pred[i] := curr[i];
    pc[i] := Locate8;
  end;

  rule "locate 8: curr := curr.next" pc[i] = Locate8 ==>
    curr[i] := next[curr[i]];
    pc[i] := Locate9;
    collect();
  end;

  rule "locate 9: curr.lock()" pc[i] = Locate9 & lock[curr[i]] = Unlocked ==>
    lock[curr[i]] := i;
    pc[i] := Locate5;
  end;

  rule "locate 10: return, for contains" pc[i] = Locate10 & method[i] = Contains ==>
    undefine method[i];
    pc[i] := Contains2;
  end;

  rule "locate 10: return, for add" pc[i] = Locate10 & method[i] = Add ==>
    undefine method[i];
    pc[i] := Add2;
  end;

  rule "locate 10: return, for remove" pc[i] = Locate10 & method[i] = Remove ==>
    undefine method[i];
    pc[i] := Remove2;
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
    if MUTANT = 2 then
      lock[pred[i]] := Unlocked;
    end;
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
