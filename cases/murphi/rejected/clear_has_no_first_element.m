type node : scalarset(3);
var owner : node;
startstate clear owner; end; --~ ERROR MU019
