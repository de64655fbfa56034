--@ verdict: holds
--@ args: --deadlock off
--@ engine: explicit, explicit --interpret
--@ states: 3, 3
-- Both ways lead to the same empty multiset.
type E: record v: 0..3; end;
var m: multiset[2] of E; one: multiset[1] of E; x: 0..2;
startstate
  var e: E;
begin
  e.v := 1; undefine m; undefine one; multisetadd(e, m); multisetadd(e, one); x := 0;
end;
choose i: m do choose j: one do
  rule "write to what was removed" x = 0 ==> begin
    alias z: m[i]; w: one[j] do
      multisetremove(i, m); z.v := 3;
      multisetremove(j, one); w.v := 3;
    end;
    x := 1;
  end;
  rule "only remove" x = 0 ==> begin multisetremove(i, m); multisetremove(j, one); x := 1; end;
end; end;
rule "end" x = 1 ==> begin x := 2; end;
