-- Elements of a scalarset can be told apart, and that is all; the members of an
-- enumeration have names, and that is all.
type id: scalarset(3); colour: enum { red, green };
var i, j: id; c: colour;
startstate c := red; end;
rule i < j ==> c := green; end; --~ ERROR MU008 --~ ERROR MU008
rule c >= green ==> c := red; end; --~ ERROR MU008 --~ ERROR MU008
rule "next" begin i := i + 1; end; --~ ERROR MU008
rule "swap" begin c := 1 - c; end; --~ ERROR MU008
rule "fixed" begin i := 1; end; --~ ERROR MU008
rule "other" begin i := c; end; --~ ERROR MU008
invariant i = c; --~ ERROR MU008
