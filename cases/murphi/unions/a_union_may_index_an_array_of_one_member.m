--@ verdict: violated "index out of range"
--@ trace: 1 step
type id: scalarset(2); owner: union { id, enum { nobody } };
var o: owner; flag: array [id] of boolean;
startstate for k: id do flag[k] := true; end; undefine o; end;
ruleset i: id do rule "take" isundefined(o) ==> o := i; end; end;
rule "none" isundefined(o) ==> o := nobody; end;
rule "look" !isundefined(o) & flag[o] ==> undefine o; end;
