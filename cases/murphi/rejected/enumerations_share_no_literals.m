type colour : enum { red, green };
     signal : enum { red, amber }; --~ ERROR MU006
     light : record on : boolean; on : signal; end; --~ ERROR MU006
var x : boolean;
    x : colour; --~ ERROR MU006
startstate x := true; end;
