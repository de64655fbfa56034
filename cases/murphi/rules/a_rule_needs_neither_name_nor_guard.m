--@ verdict: holds
--@ states: 2
--@ engine: explicit
var x: boolean;
startstate begin x := false; end;
rule begin x := !x; end;
