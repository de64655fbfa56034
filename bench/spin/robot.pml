/* Two robots on a board of N x N fields; as bench/c/robot.c. */
#ifndef N
#define N 3
#endif

byte board[N * N];

/* The field that comes next: along a row, or along a column. */
#define HERE (is_along_rows -> line * N + at : at * N + line)

proctype robot(bool is_along_rows) {
	byte line, at;
	do
	:: d_step {
		line < N;
		assert(board[HERE] == 0 || line == at);
		board[HERE]++
	   };
	   d_step {
		board[HERE]--;
		at++;
		if
		:: at == N -> line++; at = line
		:: else
		fi
	   }
	:: line == N -> break
	od
}

init {
	atomic { run robot(true); run robot(false) }
}
