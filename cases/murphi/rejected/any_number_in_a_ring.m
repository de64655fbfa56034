--@ args: --threads any
const N: 3;
type proc: 0..N - 1; var turn: proc; x: array [proc] of boolean;
startstate turn := 0; end; --~ ERROR MU008
ruleset i: proc do rule turn = i ==> x[i] := true; turn := (i + 1) % N; end; end;
