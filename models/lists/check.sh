#!/bin/bash
# Makes the runs of runs.csv, prints a row of the README's tables for each, and fails if one ends differently.
# Usage: check.sh [THREADPROOF], by default the one on the path; LIMITS are further arguments of it.
cd "$(dirname "$0")" || exit 2
threadproof=${1:-threadproof}
limits=${LIMITS:---time 120s --memory 4G}
failed=0
while IFS=, read -r file threads keys nodes mutant verdict states steps property; do
  answer=$($threadproof check "$file" $limits --const THREADS="$threads" --const KEYS="$keys" --const NODES="$nodes" \
    ${mutant:+--const MUTANT="$mutant"} < /dev/null 2>&1)
  case $verdict in
    holds) expected="HOLDS in all $states states" ;;
    violated) expected="VIOLATED in $steps steps: invariant \`$property\` is false" ;;
  esac
  seconds=$(sed -n 's/^time *\([0-9.]*\) s/\1/p' <<< "$answer")
  first=$(head -n 1 <<< "$answer")
  echo "| $file | $mutant | $threads | $keys | $nodes | $seconds | $first |"
  if [[ $first != "$expected"* ]] || grep -q "not reduced by symmetry" <<< "$answer"; then
    echo "expected: $expected, with symmetry"
    failed=1
  fi
done < <(tail -n +2 runs.csv)
exit $failed
