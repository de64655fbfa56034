--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ states: 21, 93, 21
-- A ticket lock: a thread draws a number and waits until it is called. Numbers
-- wrap around, which is safe as long as there are at least as many as threads.
-- With --const TICKETS=2 there are too few of them, and the invariant fails.

const
  N: 3;
  TICKETS: 3;

type
  thread: scalarset(N);
  number: 0..TICKETS-1;
  place: enum { away, waiting, inside };

var
  pc: array [thread] of place;
  ticket: array [thread] of number;     -- undefined while the thread is away
  next_ticket: number;
  now_serving: number;

procedure advance(var n: number);
begin
  n := (n + 1) % TICKETS;
end;

ruleset t: thread do
  rule "draw a ticket"
    pc[t] = away
  ==>
    ticket[t] := next_ticket;
    advance(next_ticket);
    pc[t] := waiting;
  end;

  rule "enter when called"
    pc[t] = waiting & ticket[t] = now_serving
  ==>
    pc[t] := inside;
  end;

  rule "call the next one"
    pc[t] = inside
  ==>
    advance(now_serving);
    undefine ticket[t];
    pc[t] := away;
  end;
end;

startstate
  for t: thread do pc[t] := away; end;
  next_ticket := 0;
  now_serving := 0;
end;

invariant "mutual exclusion"
  forall a: thread do forall b: thread do
    pc[a] = inside & pc[b] = inside -> a = b
  end end;
