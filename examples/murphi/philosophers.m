--@ verdict: violated "deadlock"
--@ trace: 5 steps
-- Dining philosophers who all reach for the fork on their left first. When each
-- of them holds one fork, nobody can go on: a deadlock, N steps from the start.
--
--   threadproof check examples/murphi/philosophers.m
--   threadproof check examples/murphi/philosophers.m --const N=3
--
-- With CAREFUL=1 the last philosopher takes the right fork first, and there is
-- no deadlock any more:
--
--   threadproof check examples/murphi/philosophers.m --const CAREFUL=1

const
  N: 5;
  CAREFUL: 0;

type
  seat: 0..N-1;
  mood: enum { thinking, has_first, eating };

var
  philosopher: array [seat] of mood;
  taken: array [seat] of boolean;     -- fork i lies to the left of seat i

function first(s: seat): seat;
begin
  if CAREFUL = 1 & s = N - 1 then return 0; end;
  return s;
end;

function second(s: seat): seat;
begin
  if CAREFUL = 1 & s = N - 1 then return s; end;
  return (s + 1) % N;
end;

ruleset s: seat do
  rule "take the first fork"
    philosopher[s] = thinking & !taken[first(s)]
  ==>
    taken[first(s)] := true;
    philosopher[s] := has_first;
  end;

  rule "take the second fork"
    philosopher[s] = has_first & !taken[second(s)]
  ==>
    taken[second(s)] := true;
    philosopher[s] := eating;
  end;

  rule "put both forks down"
    philosopher[s] = eating
  ==>
    taken[first(s)] := false;
    taken[second(s)] := false;
    philosopher[s] := thinking;
  end;
end;

startstate
  for s: seat do
    philosopher[s] := thinking;
    taken[s] := false;
  end;
end;

invariant "neighbours never eat together"
  forall s: seat do
    philosopher[s] = eating -> philosopher[(s + 1) % N] != eating
  end;
