# Every goal sets itself up: a Rust toolchain is all that is needed. C programs need
# clang too, which is installed where it is missing and apt-get is at hand.

SEEDS ?= 50000
MURPHI_SEEDS ?= 20000
BOOLEAN_SEEDS ?= 10000
C_SEEDS ?= 300
# Files of 4 programs.
C_ANY_SEEDS ?= 1500
# Files of 20 programs.
SHARING_SEEDS ?= 1000
CHECK = target/release/threadproof check

.PHONY: all clang demo test long bench
all: test

clang:
	@scripts/need-clang

# Proofs for any number of threads, a protocol with a bug, a formula, a C program, and
# counterexamples.
demo: clang
	cargo build --release --quiet --package cli --target-dir target
	@printf '\n== A C program: is the account never overdrawn, whatever the number of threads?\n\n'
	@if scripts/need-clang --look; then $(CHECK) examples/any/account.c --threads any; \
	  else echo 'left out: there is no clang'; fi
	@printf '\n== The same program with the lock given back too early.\n\n'
	@if scripts/need-clang --look; then $(CHECK) examples/any/account.c --threads any -DBROKEN; \
	  test $$? -eq 1; else echo 'left out: there is no clang'; fi
	@printf '\n== A reader-writer lock: is it safe for every number of threads?\n\n'
	@$(CHECK) examples/reader_writer_lock.tts
	@printf '\n== The same lock with one line changed: a run into the error.\n\n'
	@$(CHECK) examples/broken_reader_writer_lock.tts; test $$? -eq 1
	@printf '\n== A cache-coherence protocol with broadcasts, any number of caches.\n\n'
	@$(CHECK) examples/cache_coherence.spec
	@printf '\n== A directory protocol in Murphi, for any number of clients.\n\n'
	@$(CHECK) examples/murphi/german.m --threads any
	@printf '\n== A Murphi model of a snooping cache, with a bug.\n\n'
	@$(CHECK) examples/murphi/msi_bug.m; test $$? -eq 1
	@printf '\n== Whoever waits in the algorithm of Peterson gets in at last.\n\n'
	@$(CHECK) examples/murphi/peterson.m --ltl 'G ((pc[0] = wait) -> F (pc[0] = critical))'
	@printf '\n== A C program with two locks: a deadlock that tests hardly ever meet.\n\n'
	@if scripts/need-clang --look; then $(CHECK) examples/c/ab_ba.c; test $$? -eq 1; \
	  else echo 'left out: there is no clang'; fi
	@printf '\n== The same program with its locks taken in one order.\n\n'
	@if scripts/need-clang --look; then $(CHECK) examples/c/ab_ba.c -DFIXED; \
	  else echo 'left out: there is no clang'; fi

# Everything that must pass before a change is merged, but for the lints. Without clang
# the tests of C are left out, and say so.
test: clang
	cargo test --workspace --quiet

# Random systems in large numbers, every benchmark, and mistakes in the engines that
# the tests must notice. Failures are shrunk and kept in cases/regress/, as files that
# the command reads.
long: export THREADPROOF_KEEP = $(CURDIR)/cases/regress
long: clang
	mkdir -p cases/regress
	THREADPROOF_SEEDS=$(SEEDS) \
	  cargo test --release --package testkit --test differential -- --nocapture
	THREADPROOF_SEEDS=$(MURPHI_SEEDS) \
	  cargo test --release --package testkit --test murphi_differential -- --nocapture
	THREADPROOF_SEEDS=$(BOOLEAN_SEEDS) cargo test --release --package testkit \
	  --test boolean --test symbolic --test refinement --test reductions --test view_claims \
	  --test recursion --test thread_modular -- --nocapture
	THREADPROOF_SEEDS=$(C_SEEDS) cargo test --release --package testkit --test c_differential \
	  -- --nocapture --skip memory_that_is_shared
	THREADPROOF_SEEDS=$(SHARING_SEEDS) cargo test --release --package testkit \
	  --test c_differential -- --nocapture memory_that_is_shared
	THREADPROOF_SEEDS=$(C_ANY_SEEDS) cargo test --release --package testkit --test c_any \
	  -- --nocapture
	THREADPROOF_LTL_PAIRS=5000 cargo test --release --package testkit --test ltl_spin -- --nocapture
	cargo xtask bench --tier full
	cargo xtask mutants

bench:
	cargo xtask bench --tier quick
