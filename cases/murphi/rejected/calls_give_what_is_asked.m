var x : 0 .. 3;
function next(n : 0 .. 3) : 0 .. 3; begin return (n + 1) % 4; end;
procedure reset(); begin x := 0; end;
startstate x := next(0, 1); end; --~ ERROR MU012
rule x := next(); end; --~ ERROR MU012
rule x := 1 + reset(); end; --~ ERROR MU012
