--@ verdict: holds
--@ args: --ltl '!(granted) W (asked)'
var asked, granted: boolean;
startstate asked := false; granted := false; end;
rule "ask" !asked ==> asked := true; end;
rule "grant" asked & !granted ==> granted := true; end;
rule "done" granted ==> asked := false; granted := false; end;
