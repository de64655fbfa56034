--@ verdict: violated
--@ args: --fairness weak --ltl '[] ((mood[0] = one) -> <> (mood[0] = eating))'
-- The neighbour takes the fork again and again. Between times it is free, but not
-- all the time: weak fairness asks for no more than that.
const N: 3;
type seat: 0..N-1; moods: enum { thinking, one, eating };
var mood: array [seat] of moods; taken: array [seat] of boolean;
function first(s: seat): seat; begin return s = N - 1 ? 0 : s; end;
function second(s: seat): seat; begin return s = N - 1 ? s : s + 1; end;
ruleset s: seat do
  rule "first" mood[s] = thinking & !taken[first(s)] ==> taken[first(s)] := true; mood[s] := one; end;
  rule "second" mood[s] = one & !taken[second(s)] ==> taken[second(s)] := true; mood[s] := eating; end;
  rule "both" mood[s] = eating ==> taken[first(s)] := false; taken[second(s)] := false; mood[s] := thinking; end;
end;
startstate for s: seat do mood[s] := thinking; taken[s] := false; end; end;
