const n : 3;
type t : boolean;
var x : boolean;
    y : n; --~ ERROR MU007
startstate x := t; end; --~ ERROR MU007
rule n(); end; --~ ERROR MU007
