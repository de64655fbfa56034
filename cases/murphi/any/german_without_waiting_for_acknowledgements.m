--@ verdict: violated "coherence"
--@ args: --threads any
--@ threads: 2
-- Steven German's directory protocol, without data. Home does not look whether all copies are given up.
type
  node: scalarset(2);
  state: enum { invalid, shared, exclusive };
  asked: enum { nothing, for_shared, for_exclusive };
var
  cache: array [node] of state;
  request: array [node] of asked;                        -- from a node to home
  grant: array [node] of enum { none, grant_shared, grant_exclusive, invalidate };  -- to a node
  acknowledged: array [node] of boolean;                 -- from a node to home
  is_sharer, to_invalidate: array [node] of boolean;     -- what home knows and has to do
  is_exclusive: boolean;
  current: asked; client: node;                          -- whom home serves, and with what
startstate
  for i: node do
    cache[i] := invalid; request[i] := nothing; grant[i] := none; acknowledged[i] := false;
    is_sharer[i] := false; to_invalidate[i] := false;
  end;
  is_exclusive := false; current := nothing; undefine client;
end;
ruleset i: node do
  rule "ask for shared" cache[i] = invalid & request[i] = nothing
    ==> request[i] := for_shared; end;
  rule "ask for exclusive" cache[i] != exclusive & request[i] = nothing
    ==> request[i] := for_exclusive; end;
  rule "take up" current = nothing & request[i] != nothing ==>
    current := request[i]; client := i; request[i] := nothing;
    for j: node do to_invalidate[j] := is_sharer[j]; end;
  end;
  rule "invalidate" to_invalidate[i] & grant[i] = none
      & (current = for_exclusive | (current = for_shared & is_exclusive)) ==>
    grant[i] := invalidate; to_invalidate[i] := false;
  end;
  rule "give up" grant[i] = invalidate & !acknowledged[i] ==>
    grant[i] := none; acknowledged[i] := true; cache[i] := invalid;
  end;
  rule "acknowledge" acknowledged[i] & current != nothing ==>
    acknowledged[i] := false; is_sharer[i] := false; is_exclusive := false;
  end;
  rule "grant shared" current = for_shared & client = i & !is_exclusive & grant[i] = none ==>
    grant[i] := grant_shared; is_sharer[i] := true; current := nothing; undefine client;
  end;
  rule "grant exclusive" current = for_exclusive & client = i & grant[i] = none ==>
    grant[i] := grant_exclusive; is_sharer[i] := true; is_exclusive := true;
    current := nothing; undefine client;
  end;
  rule "get shared" grant[i] = grant_shared
    ==> cache[i] := shared; grant[i] := none; end;
  rule "get exclusive" grant[i] = grant_exclusive
    ==> cache[i] := exclusive; grant[i] := none; end;
end;
invariant "coherence" forall i: node do forall j: node do
  i != j & cache[i] = exclusive -> cache[j] = invalid endforall endforall;
