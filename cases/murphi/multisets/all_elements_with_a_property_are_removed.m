--@ verdict: holds
type message: record kind: enum { ask, answer }; n: 0..1; end;
var net: multiset [3] of message;
startstate undefine net; end;
ruleset k: 0..1 do
  rule "ask" multisetcount(i: net, true) < 3 ==>
    var m: message;
  begin
    m.kind := ask; m.n := k;
    multisetadd(m, net);
  end;
end;
choose i: net do
  rule "answer" net[i].kind = ask ==> net[i].kind := answer; end;
end;
rule "forget answers" multisetcount(i: net, net[i].kind = answer) > 1 ==>
  multisetremovepred(i: net, net[i].kind = answer);
  assert multisetcount(i: net, net[i].kind = answer) = 0;
end;
rule "forget all" multisetcount(i: net, true) = 3 ==> undefine net; end;
