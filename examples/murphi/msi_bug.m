--@ verdict: violated "a modified copy is the only copy"
--@ trace: 3 steps
-- Caches on a snooping bus (modified, shared, invalid), with a seeded mistake: a
-- cache that upgrades from shared to modified does not wait for the bus. Two
-- sharers can do so at once: two reads and one upgrade suffice.
--
--   threadproof check examples/murphi/msi_bug.m
--
-- With --const WAIT=1 the upgrade goes over the bus as well, and the invariants hold.

const
  N: 2;
  WAIT: 0;

type
  core: scalarset(N);
  line: enum { invalid, shared, modified };
  value: 0..1;

var
  state: array [core] of line;
  copy: array [core] of value;      -- undefined where the line is invalid
  memory: value;
  latest: value;                    -- what the last write wrote; for the invariants

-- Everybody else on the bus reacts to a request of `me`.
procedure snoop(me: core; for_writing: boolean);
begin
  for c: core do
    if c != me then
      if state[c] = modified then memory := copy[c]; end;
      if for_writing then
        state[c] := invalid;
        undefine copy[c];
      elsif state[c] = modified then
        state[c] := shared;
      end;
    end;
  end;
end;

ruleset c: core do
  rule "read miss"
    state[c] = invalid
  ==>
    snoop(c, false);
    state[c] := shared;
    copy[c] := memory;
  end;

  ruleset v: value do
    rule "write miss"
      state[c] = invalid
    ==>
      snoop(c, true);
      state[c] := modified;
      copy[c] := v;
      latest := v;
    end;

    rule "upgrade"
      state[c] = shared
    ==>
      if WAIT = 1 then snoop(c, true); end;
      state[c] := modified;
      copy[c] := v;
      latest := v;
    end;

    rule "write hit"
      state[c] = modified
    ==>
      copy[c] := v;
      latest := v;
    end;
  end;

  rule "evict"
    state[c] != invalid
  ==>
    if state[c] = modified then memory := copy[c]; end;
    state[c] := invalid;
    undefine copy[c];
  end;
end;

startstate
  for c: core do state[c] := invalid; end;
  memory := 0;
  latest := 0;
end;

invariant "a modified copy is the only copy"
  forall a: core do forall b: core do
    a != b & state[a] = modified -> state[b] = invalid
  end end;

invariant "every valid copy is the latest"
  forall c: core do state[c] != invalid -> copy[c] = latest end;
