--@ verdict: violated "a client waits"
--@ args: --threads any --param client
--@ threads: 3
--@ trace: 3 steps
-- Two servers that take two clients each: only a third client fills more than one of them.
type client: scalarset(2); server: scalarset(2);
var full: array [server] of boolean; got: array [client] of boolean; half: boolean;
startstate
  half := false;
  for s: server do full[s] := false; end;
  for c: client do got[c] := false; end;
end;
ruleset c: client do
  rule "first" !got[c] & !half ==> got[c] := true; half := true; end;
  ruleset s: server do
    rule "second" !got[c] & half & !full[s] ==> got[c] := true; full[s] := true; end;
  end;
end;
invariant "a client waits" exists s: server do !full[s] endexists;
