--@ verdict: unknown "views of 2 of `server`, `a server serves one` may fail"
--@ args: --threads any --param server
-- Two names of servers that no view shows may be the same name, as far as views say. It helps to
-- write `asks[c] = s & asks[d] = s`, for all `s`.
type client: scalarset(2); server: scalarset(2);
var serves: array [server] of boolean; asks: array [client] of server;
startstate
  for s: server do serves[s] := false; end;
  for c: client do undefine asks[c]; end;
end;
ruleset c: client; s: server do
  rule "ask" isundefined(asks[c]) & !serves[s] ==> asks[c] := s; serves[s] := true; end;
  rule "done" !isundefined(asks[c]) & asks[c] = s ==> undefine asks[c]; serves[s] := false; end;
end;
invariant "a server serves one" forall c: client do forall d: client do
  c = d | isundefined(asks[c]) | isundefined(asks[d]) | asks[c] != asks[d] endforall endforall;
