--@ verdict: holds
--@ states: 2
--@ engine: explicit
var x: boolean;
rule "flip" begin x := !x; end;
type unused: 0..3;
startstate x := false; end;
const N: 2;
function yes(): boolean; begin return true; end;
invariant yes() & N = 2;
