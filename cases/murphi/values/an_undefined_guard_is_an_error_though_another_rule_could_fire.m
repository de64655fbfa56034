--@ verdict: violated "`x` is undefined"
--@ trace: 1 step
-- Guards of all rules are evaluated in every state.
var x: boolean; tick: boolean;
startstate x := true; tick := false; end;
rule "always fine" begin tick := !tick; end;
rule "not always" x ==> undefine x; end;
