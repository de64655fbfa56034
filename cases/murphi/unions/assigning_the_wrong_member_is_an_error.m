--@ verdict: violated "value out of range: `i`"
--@ trace: 1 step
type id: scalarset(2); owner: union { id, enum { nobody } };
var o: owner; i: id;
ruleset k: id do startstate o := k; end; end;
rule "drop" ismember(o, id) ==> o := nobody; end;
rule "use" o = nobody ==> i := o; end;
