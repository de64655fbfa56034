--@ verdict: holds
-- Producers and a consumer over an unordered channel: messages may overtake each
-- other, so the consumer sorts them by sequence number.
--
-- `multiset` is an array whose order means nothing. `choose` picks one of its
-- elements, `multisetcount` counts those with a property.

const
  SIZE: 3;          -- room in the channel
  WINDOW: 4;        -- sequence numbers; more than SIZE, or numbers would clash

type
  sequence: 0..WINDOW-1;
  packet: record
    number: sequence;
    urgent: boolean;
  end;

var
  channel: multiset [SIZE] of packet;
  next_sent: sequence;
  next_wanted: sequence;

function in_flight(): 0..SIZE;
begin
  return multisetcount(m: channel, true);
end;

ruleset u: boolean do
  rule "send"
    in_flight() < SIZE
    & (next_sent + 1) % WINDOW != next_wanted
  ==>
  var p: packet;
  begin
    p.number := next_sent;
    p.urgent := u;
    multisetadd(p, channel);
    next_sent := (next_sent + 1) % WINDOW;
  end;
end;

choose m: channel do
  rule "receive what comes next"
    channel[m].number = next_wanted
  ==>
    multisetremove(m, channel);
    next_wanted := (next_wanted + 1) % WINDOW;
  end;
end;

startstate
  undefine channel;
  next_sent := 0;
  next_wanted := 0;
end;

invariant "numbers in flight are different"
  forall n: sequence do
    multisetcount(m: channel, channel[m].number = n) <= 1
  end;

invariant "what is wanted next is on its way, if anything is"
  in_flight() > 0 -> multisetcount(m: channel, channel[m].number = next_wanted) = 1;
