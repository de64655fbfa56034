//@ verdict: holds
// One whose result is always the same.
#include <assert.h>

typedef int function(int);

function *nowhere(void) { return (function *)-1; }
int twice(int number) { return 2 * number; }
function *doubler(void) { return twice; }

int main(void) {
    assert(doubler()(2) == 4);
    assert(nowhere() == (function *)-1);
}
