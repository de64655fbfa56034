--@ verdict: holds
--@ args: --ltl '[] <> somebody_eats'
-- A formula may name a function without parameters.
const N: 3;
type seat: 0..N-1; moods: enum { thinking, one, eating };
var mood: array [seat] of moods; taken: array [seat] of boolean;
function first(s: seat): seat; begin return s = N - 1 ? 0 : s; end;
function second(s: seat): seat; begin return s = N - 1 ? s : s + 1; end;
function somebody_eats(): boolean; begin return exists s: seat do mood[s] = eating end; end;
ruleset s: seat do
  rule "first" mood[s] = thinking & !taken[first(s)] ==> taken[first(s)] := true; mood[s] := one; end;
  rule "second" mood[s] = one & !taken[second(s)] ==> taken[second(s)] := true; mood[s] := eating; end;
  rule "both" mood[s] = eating ==> taken[first(s)] := false; taken[second(s)] := false; mood[s] := thinking; end;
end;
startstate for s: seat do mood[s] := thinking; taken[s] := false; end; end;
