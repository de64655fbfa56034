/* The algorithm of Peterson, for ever; as bench/c/peterson.c with -DROUNDS=0: each access to
   a shared variable is a step. */
bool wants[2];
bit last;
byte counter;

active [2] proctype side() {
	byte before;
	do
	:: wants[_pid] = true;
	   last = _pid;
	   do
	   :: wants[1 - _pid] ->
	      if
	      :: last == _pid
	      :: else -> break
	      fi
	   :: else -> break
	   od;
	   before = counter;
	   d_step { counter = before + 1; before = 0 };
	   assert(counter == 1);
	   before = counter;
	   d_step { counter = before - 1; before = 0 };
	   wants[_pid] = false
	od
}
