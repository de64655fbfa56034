//! Canonical forms of states under permutations of scalarsets.
