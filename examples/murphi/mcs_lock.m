--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ states: 81, 452, 81
-- The queue lock of Mellor-Crummey and Scott: waiting threads form a linked list,
-- and each spins on a flag of its own.
--
-- `next` and `tail` hold a thread or nothing: a union of a scalarset and an
-- enumeration. Threads stay interchangeable although their names are stored.

const N: 3;

type
  thread: scalarset(N);
  nothing: enum { nil };
  link: union { thread, nothing };
  place: enum { idle, swap, announce, spin, critical, look, release, hand_over };

var
  pc: array [thread] of place;
  next: array [thread] of link;
  locked: array [thread] of boolean;
  before: array [thread] of link;     -- who was last when we came
  tail: link;

ruleset t: thread do
  rule "prepare own entry"
    pc[t] = idle
  ==>
    next[t] := nil;
    pc[t] := swap;
  end;

  rule "swap oneself in as last"            -- one atomic instruction
    pc[t] = swap
  ==>
    before[t] := tail;
    tail := t;
    if ismember(before[t], thread) then
      locked[t] := true;
      pc[t] := announce;
    else
      pc[t] := critical;
    end;
  end;

  rule "tell the one before"
    pc[t] = announce
  ==>
    next[before[t]] := t;
    pc[t] := spin;
  end;

  rule "stop spinning"
    pc[t] = spin & !locked[t]
  ==> pc[t] := critical; end;

  rule "leave the critical section"
    pc[t] = critical
  ==>
    undefine before[t];
    pc[t] := look;
  end;

  rule "look for the next one"
    pc[t] = look
  ==>
    if next[t] = nil then pc[t] := release; else pc[t] := hand_over; end;
  end;

  rule "release, if still last"             -- compare and swap
    pc[t] = release
  ==>
    if tail = t then
      tail := nil;
      undefine next[t];
      pc[t] := idle;
    elsif next[t] != nil then
      pc[t] := hand_over;
    end;
  end;

  rule "hand over"
    pc[t] = hand_over
  ==>
    alias successor: next[t] do
      locked[successor] := false;
    end;
    undefine next[t];
    pc[t] := idle;
  end;
end;

startstate
  for t: thread do
    pc[t] := idle;
    locked[t] := false;
  end;
  tail := nil;
end;

invariant "mutual exclusion"
  forall a: thread do forall b: thread do
    pc[a] = critical & pc[b] = critical -> a = b
  end end;

invariant "the lock is free only when nobody holds it"
  tail = nil -> forall t: thread do pc[t] = idle | pc[t] = swap end;
