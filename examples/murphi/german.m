--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ states: 4947, 27513, 4947
-- A directory protocol for cache coherence in the manner of German: clients ask
-- the home node for shared or exclusive copies over three channels each.
--
-- Clients are interchangeable: `scalarset` says so, and the search then looks at
-- one state of each set of states that differ only in the clients' names.
--
--   threadproof check examples/murphi/german.m
--   threadproof check examples/murphi/german.m --const NODE_NUM=4
--   threadproof check examples/murphi/german.m --no-symmetry
--   threadproof check examples/murphi/german.m --threads any

const NODE_NUM: 3;

type
  node: scalarset(NODE_NUM);
  permission: enum { invalid, shared, exclusive };
  message: enum { empty, want_shared, want_exclusive, invalidate, invalidated,
                  grant_shared, grant_exclusive };

var
  cache: array [node] of permission;
  request: array [node] of message;     -- client to home
  command: array [node] of message;     -- home to client
  answer: array [node] of message;      -- client to home
  to_invalidate: array [node] of boolean;
  sharers: array [node] of boolean;
  exclusive_granted: boolean;
  current: message;                     -- the request that home is working on
  client: node;                         -- who made it; undefined when there is none

ruleset i: node do
  rule "ask for a shared copy"
    request[i] = empty & cache[i] = invalid
  ==> request[i] := want_shared; end;

  rule "ask for an exclusive copy"
    request[i] = empty & cache[i] != exclusive
  ==> request[i] := want_exclusive; end;

  rule "home takes up a request"
    current = empty & request[i] != empty
  ==>
    current := request[i];
    request[i] := empty;
    client := i;
    for j: node do to_invalidate[j] := sharers[j]; end;
  end;

  rule "home revokes a copy"
    command[i] = empty & to_invalidate[i]
    & (current = want_exclusive | (current = want_shared & exclusive_granted))
  ==>
    command[i] := invalidate;
    to_invalidate[i] := false;
  end;

  rule "a client gives up its copy"
    command[i] = invalidate & answer[i] = empty
  ==>
    command[i] := empty;
    answer[i] := invalidated;
    cache[i] := invalid;
  end;

  rule "home notes that a copy is gone"
    answer[i] = invalidated & current != empty
  ==>
    answer[i] := empty;
    sharers[i] := false;
    exclusive_granted := false;
  end;

  rule "a client receives a shared copy"
    command[i] = grant_shared
  ==> command[i] := empty; cache[i] := shared; end;

  rule "a client receives an exclusive copy"
    command[i] = grant_exclusive
  ==> command[i] := empty; cache[i] := exclusive; end;
end;

rule "home grants a shared copy"
  current = want_shared & !exclusive_granted & command[client] = empty
==>
  sharers[client] := true;
  command[client] := grant_shared;
  current := empty;
  undefine client;
end;

rule "home grants an exclusive copy"
  current = want_exclusive & command[client] = empty
  & forall j: node do !sharers[j] end
==>
  sharers[client] := true;
  exclusive_granted := true;
  command[client] := grant_exclusive;
  current := empty;
  undefine client;
end;

startstate
  for i: node do
    cache[i] := invalid;  request[i] := empty;  command[i] := empty;
    answer[i] := empty;   to_invalidate[i] := false;  sharers[i] := false;
  end;
  exclusive_granted := false;
  current := empty;
end;

invariant "an exclusive copy is the only copy"
  forall i: node do forall j: node do
    i != j & cache[i] = exclusive -> cache[j] = invalid
  end end;
