--@ verdict: holds
--@ args: --threads any --param server
-- Of two types that could be the parameter, the option names one.
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
invariant "a server serves one" forall s: server do forall c: client do forall d: client do
  asks[c] = s & asks[d] = s -> c = d endforall endforall endforall;
