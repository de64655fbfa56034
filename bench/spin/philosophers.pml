/* N dining philosophers who never stop; as bench/c/philosophers.c. */
#ifndef N
#define N 3
#endif

bool forks[N];

inline lock(fork) { atomic { !forks[fork] -> forks[fork] = true } }
inline unlock(fork) { forks[fork] = false }

proctype philosopher(byte left, right) {
end:
	do
	:: lock(left);
	   lock(right);
	   unlock(right);
	   unlock(left)
	od
}

init {
	byte i;
	atomic {
		do
		:: i < N - 1 -> run philosopher(i, i + 1); i++
		:: else -> break
		od;
#ifdef DEADLOCK
		run philosopher(N - 1, 0)
#else
		run philosopher(0, N - 1)
#endif
	}
}
