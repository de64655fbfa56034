--@ engine: explicit, explicit --interpret, explicit --order dfs, explicit --no-symmetry
--@ verdict: holds
--@ states: 7, 7, 7, 9
-- Covers count wherever they are executed: in a start state, in an action, in functions that
-- guards and properties call, in every turn of a loop, and in a step that an `assume` drops.
type node: scalarset(2);
var x: 0..2; at: array [node] of boolean;
function small(): boolean; begin cover x = 1 "in a guard"; return x < 2; end;
function fine(): boolean; begin cover x = 2 "in a property"; return true; end;
procedure visit(n: node); begin at[n] := true; cover at[n] "in a procedure"; end;
startstate x := 0; for n: node do at[n] := false; end; cover x = 0 "in a start"; end;
rule "up" small() ==> x := x + 1; cover x = 2 "in a rule"; end;
rule "back" x = 2 ==>
begin
  for n: node do cover !at[n] "in a loop"; at[n] := false; end;
  x := 0;
end;
ruleset n: node do rule "visit" x = 1 & !at[n] ==> visit(n); end; end;
rule "dropped" x = 2 ==> begin cover true "before an assumption"; assume false; end;
invariant fine();
