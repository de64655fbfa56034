#!/bin/sh
# Writes a list model for tools that have no unions (rumur) to standard output: identities become numbers, nothing else
# changes. There is no symmetry then; states and steps are otherwise the same.
# Usage: without_unions.sh MODEL.m [NAME=N]...
set -eu
model=$1
shift
constants=
for assignment; do
  constants="$constants;s/^  ${assignment%%=*} : [0-9]*;/  ${assignment%%=*} : ${assignment#*=};/"
done
sed -e 's/^  Thread : scalarset(THREADS);/  Thread : 1..THREADS;/' \
    -e 's/^  Node : scalarset(NODES);/  Node : 2..NODES + 1;/' \
    -e 's/^  Pointer : union .*;/  Pointer : 0..NODES + 1;/' \
    -e 's/^  Owner : union .*;/  Owner : 0..THREADS;/' \
    -e 's/^  Holder : union .*;/  Holder : -1..THREADS;/' \
    -e 's/^const$/const Head : 0; Tail : 1; Unlocked : 0; Free : 0; Shared : -1;/' \
    -e "$constants" "$model"
