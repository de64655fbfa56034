--@ verdict: holds
--@ args: --ltl 'F (x = 5)'
-- The only run would leave `x < 3`, so there is none, and nothing violates the formula.
-- It would be wrong to say that the run ends with x = 2: it can go on, to where we assume
-- that it does not.
var x: 0..9;
startstate begin x := 0; end;
rule "inc" x < 9 ==> begin x := x + 1; end;
assume x < 3;
