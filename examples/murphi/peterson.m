--@ verdict: holds
-- Peterson's mutual exclusion for two processes.
--
-- Each process raises its flag, gives the turn to the other one, and waits until
-- the other has lowered its flag or the turn is its own again.
--
--   threadproof check examples/murphi/peterson.m
--
-- That both get in again and again is a question about whole runs. Nothing forces
-- a scheduler to let both of them step; a fair one does. See the chapter on
-- liveness in the book.
--
--   threadproof check examples/murphi/peterson.m --ltl '[] <> (pc[0] = critical)'
--   threadproof check examples/murphi/peterson.m --ltl '[] <> (pc[0] = critical)' --fairness weak

type
  process: 0..1;
  place: enum { idle, flagged, wait, critical };

var
  pc: array [process] of place;
  flag: array [process] of boolean;
  turn: process;

ruleset p: process do
  alias other: 1 - p do

    rule "raise the flag"
      pc[p] = idle
    ==>
      flag[p] := true;
      pc[p] := flagged;
    end;

    rule "let the other go first"
      pc[p] = flagged
    ==>
      turn := other;
      pc[p] := wait;
    end;

    rule "enter"
      pc[p] = wait & (!flag[other] | turn = p)
    ==>
      pc[p] := critical;
    end;

    rule "leave"
      pc[p] = critical
    ==>
      flag[p] := false;
      pc[p] := idle;
    end;

  end;
end;

startstate
  for p: process do
    pc[p] := idle;
    flag[p] := false;
  end;
  turn := 0;
end;

invariant "mutual exclusion"
  !(pc[0] = critical & pc[1] = critical);
