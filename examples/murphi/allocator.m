--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ states: 7, 25, 7
-- Clients borrow units of a resource one at a time and return them all at once.
-- A client takes a unit only if somebody can still finish afterwards: the banker's
-- rule of Dijkstra. With --const CAREFUL=0 the clients block each other.

const
  CLIENTS: 3;
  UNITS: 4;
  CLAIM: 3;         -- nobody needs more than this
  CAREFUL: 1;

type
  client: scalarset(CLIENTS);
  amount: 0..UNITS;

var
  held: array [client] of amount;
  free: amount;

-- Would there be a client who can finish with what is left, were `c` given a unit?
function is_safe(c: client): boolean;
begin
  return exists d: client do
    (d = c ? CLAIM - held[d] - 1 : CLAIM - held[d]) <= free - 1
  end;
end;

ruleset c: client do
  rule "borrow a unit"
    held[c] < CLAIM & free > 0 & (CAREFUL = 1 -> is_safe(c))
  ==>
    held[c] := held[c] + 1;
    free := free - 1;
  end;

  rule "return everything"
    held[c] = CLAIM
  ==>
    free := free + held[c];
    clear held[c];
  end;
end;

startstate
  for c: client do held[c] := 0; end;
  free := UNITS;
end;

-- From every reachable state, all units can come home.
liveness "everything can be returned"
  free = UNITS;
