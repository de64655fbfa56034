var x : boolean;
function first(n : boolean) : boolean; begin
  return second(n); --~ ERROR MU005
end;
function second(n : boolean) : boolean; begin
  return !n;
end;
startstate x := true; end;
rule x := first(x); end;
