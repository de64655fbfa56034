--@ verdict: violated "`l` is undefined"
--@ trace: 1 step
var x: 0..3; first: boolean;
startstate x := 0; first := true; end;
rule "use a local"
  var l: 0..3;
begin
  if first then l := 2; end;
  first := false;
  x := l + 0;
end;
