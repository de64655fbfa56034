/* A queue of messages with priorities; as bench/c/message_queue.c. What a thread does between
   taking the lock and giving it back is one step, since nobody else can look. A thread that
   waits for a condition has given the lock back; it goes on when it was signalled or for no
   reason, and takes the lock again. */
#ifndef M
#define M 2
#endif
#define N_PRIORITIES 3

bool is_locked;
byte priorities[M], numbers[M], n_messages;
/* Only one thread can wait for each condition. */
bool waits_for_room, waits_for_message;

inline lock() { atomic { !is_locked -> is_locked = true } }
inline unlock() { is_locked = false }

inline wait(waits) {
	d_step { waits = true; is_locked = false };
	waits = false;
	lock()
}

proctype producer() {
	byte i, at;
	do
	:: i < 2 * M ->
	   lock();
	   do
	   :: n_messages == M -> wait(waits_for_room)
	   :: else -> break
	   od;
	   atomic {
		at = n_messages;
		n_messages++;
		do
		:: at > 0 && priorities[at - 1] >= i % N_PRIORITIES ->
		   priorities[at] = priorities[at - 1];
		   numbers[at] = numbers[at - 1];
		   at--
		:: else -> break
		od;
		priorities[at] = i % N_PRIORITIES;
		numbers[at] = i;
		at = 0;
		i++;
		waits_for_message = false
	   };
	   unlock()
	:: else -> break
	od
}

proctype consumer() {
	byte i, number;
	byte next[N_PRIORITIES];
	do
	:: i < 2 * M ->
	   lock();
	   do
	   :: n_messages == 0 -> wait(waits_for_message)
	   :: else -> break
	   od;
	   atomic {
		n_messages--;
		number = numbers[n_messages];
		assert(priorities[n_messages] == number % N_PRIORITIES);
		assert(number >= next[number % N_PRIORITIES]);
		next[number % N_PRIORITIES] = number + 1;
		/* What was received is gone. */
		priorities[n_messages] = 0;
		numbers[n_messages] = 0;
		number = 0;
		i++;
		waits_for_room = false
	   };
	   unlock()
	:: else -> break
	od
}

init {
	atomic { run producer(); run consumer() }
}
