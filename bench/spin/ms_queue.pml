/* The queue of Michael and Scott; as bench/c/ms_queue.c: each access to what threads share
   is a step, and what follows a comparison of its outcome is part of that step. Nodes are
   numbered from 1; node 1 is the first dummy, 0 is no node. */
#ifndef THREADS
#define THREADS 3
#endif

byte next_of[THREADS + 2], value_of[THREADS + 2];
byte head = 1, tail = 1;
byte taken[THREADS + 1];
byte n_ended;

proctype thread(byte me) {
	byte first, last, next;
	value_of[me + 1] = me;
enqueue:
	last = tail;
	next = next_of[last];
	if
	:: last != tail -> goto enqueue
	:: else
	fi;
	if
	:: next != 0 ->
	   atomic {
		if
		:: tail == last -> tail = next
		:: else
		fi;
		goto enqueue
	   }
	:: else
	fi;
	atomic {
		if
		:: next_of[last] == 0 -> next_of[last] = me + 1
		:: else -> goto enqueue
		fi
	};
	atomic {
		if
		:: tail == last -> tail = me + 1
		:: else
		fi;
		last = 0
	};
dequeue:
	first = head;
	last = tail;
	next = next_of[first];
	if
	:: first != head -> goto dequeue
	:: else
	fi;
	if
	:: first == last ->
	   if
	   :: next == 0 -> goto done
	   :: else
	   fi;
	   atomic {
		if
		:: tail == last -> tail = next
		:: else
		fi;
		goto dequeue
	   }
	:: else
	fi;
	last = value_of[next];
	atomic {
		if
		:: head == first -> head = next
		:: else -> goto dequeue
		fi
	};
	taken[me] = last;
done:
	atomic { n_ended++; first = 0; last = 0; next = 0 }
}

init {
	byte i;
	byte seen[THREADS + 1];
	atomic {
		for (i : 1 .. THREADS) { run thread(i) }
	};
	d_step {
		n_ended == THREADS;
		for (i : 1 .. THREADS) {
			assert(taken[i] > 0 && seen[taken[i]] == 0);
			seen[taken[i]] = 1
		}
	}
}
