--@ verdict: holds
--@ engine: explicit, explicit --no-symmetry, explicit --interpret
--@ states: 662, 7247, 662
-- A linked list: two processes push cells at its head, mark cells and unlink marked ones;
-- cells that nothing points to are used again. Cells are a scalarset, so states that differ
-- by the names of cells alone are searched once. Undefined means `nil`;
-- pointers are records, since rumur copies undefined values only within records.
--
-- A cell leaves the list in two steps, as in Harris, "A Pragmatic Implementation of
-- Non-blocking Linked-Lists", DISC 2001: it is marked first, so that nothing is unlinked
-- behind it any more, and its predecessor is moved on to the next cell then.

const
  N_CELLS: 3;
  N_PROCESSES: 2;

type
  cell: scalarset(N_CELLS);
  process: scalarset(N_PROCESSES);
  pointer: record at: cell end;
  action: enum { idle, pushing, walking, unlinking };

var
  head: pointer;
  next: array [cell] of pointer;
  is_fresh: array [cell] of boolean;
  is_marked: array [cell] of boolean;
  does: array [process] of action;
  -- The cell that is pushed, or the predecessor of the one that was reached.
  mine: array [process] of pointer;
  -- What the head or the next cell was when it was read.
  seen: array [process] of pointer;

function points_to(c: cell): boolean; begin
  if !isundefined(head.at) & head.at = c then return true; end;
  return exists b: cell do !isundefined(next[b].at) & next[b].at = c end
    | exists p: process do
        (!isundefined(mine[p].at) & mine[p].at = c) | (!isundefined(seen[p].at) & seen[p].at = c)
      end;
end;

procedure rest(p: process); begin
  does[p] := idle;
  undefine mine[p].at;
  undefine seen[p].at;
end;

startstate begin
  undefine head.at;
  for c: cell do
    undefine next[c].at;
    is_fresh[c] := true;
    is_marked[c] := false;
  end;
  for p: process do
    rest(p);
  end;
end;

ruleset c: cell do
  rule "collect" !is_fresh[c] & !points_to(c) ==> begin
    is_fresh[c] := true;
    is_marked[c] := false;
    undefine next[c].at;
  end;
end;

ruleset p: process do
  ruleset c: cell do
    rule "take a fresh cell" does[p] = idle & is_fresh[c] ==> begin
      is_fresh[c] := false;
      mine[p].at := c;
      seen[p] := head;
      next[c] := head;
      does[p] := pushing;
    end;
  end;

  -- The head is compared and swapped.
  rule "push" does[p] = pushing ==>
    var is_same: boolean;
  begin
    if isundefined(head.at) | isundefined(seen[p].at) then
      is_same := isundefined(head.at) & isundefined(seen[p].at);
    else
      is_same := head.at = seen[p].at;
    end;
    if is_same then
      head := mine[p];
      rest(p);
    else
      seen[p] := head;
      next[mine[p].at] := head;
    end;
  end;

  rule "start to walk" does[p] = idle & !isundefined(head.at) ==> begin
    seen[p] := head;
    undefine mine[p].at;
    does[p] := walking;
  end;

  rule "walk on" does[p] = walking ==> begin
    if isundefined(next[seen[p].at].at) then
      rest(p);
    else
      mine[p] := seen[p];
      seen[p] := next[seen[p].at];
    end;
  end;

  rule "mark" does[p] = walking & !is_marked[seen[p].at] ==> begin
    is_marked[seen[p].at] := true;
    does[p] := unlinking;
  end;

  rule "unlink" does[p] = unlinking ==> begin
    if isundefined(mine[p].at) then
      if !isundefined(head.at) & head.at = seen[p].at then head := next[seen[p].at]; end;
    elsif !is_marked[mine[p].at] & !isundefined(next[mine[p].at].at)
      & next[mine[p].at].at = seen[p].at then
      next[mine[p].at] := next[seen[p].at];
    end;
    rest(p);
  end;
end;

invariant "nothing points to a fresh cell"
  forall c: cell do is_fresh[c] -> !points_to(c) end;
