--@ verdict: violated "calls nest more than"
--@ trace: 1 step
--@ engine: explicit, explicit --interpret
var x: boolean;
function loop(b: boolean): boolean;
begin
  return !loop(!b);
end;
startstate x := false; end;
rule "set" !x ==> x := true; end;
rule "fall" x ==> x := loop(x); end;
