--@ verdict: violated
--@ args: --ltl '[] ((mood[0] = eating) -> <> (mood[0] = thinking))'
-- Two seats away somebody else eats again and again.
const N: 4;
type seat: 0..N-1; moods: enum { thinking, one, eating };
var mood: array [seat] of moods; taken: array [seat] of boolean;
ruleset s: seat do
  rule "left" mood[s] = thinking & !taken[s] ==> taken[s] := true; mood[s] := one; end;
  rule "right" mood[s] = one & !taken[(s + 1) % N] ==> taken[(s + 1) % N] := true; mood[s] := eating; end;
  rule "both" mood[s] = eating ==> taken[s] := false; taken[(s + 1) % N] := false; mood[s] := thinking; end;
end;
startstate for s: seat do mood[s] := thinking; taken[s] := false; end; end;
