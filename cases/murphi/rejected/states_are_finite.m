var speed : real(3, 2); --~ ERROR MU014
    m : multiset [2] of boolean;
startstate undefine m; end;
choose i : m do
  invariant m[i]; --~ ERROR MU014
end;
