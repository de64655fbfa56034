var x : boolean;
function f() : boolean; begin return; end; --~ ERROR MU018
procedure p(); begin return x; end; --~ ERROR MU018
startstate x := true; end;
rule return 3; end; --~ ERROR MU018
