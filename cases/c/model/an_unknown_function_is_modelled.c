//@ args: --model cases/c/model/a_sensor_shows_any_digit.c --model-replaces rand
//@ verdict: holds
//@ verdict with -DWRONG: violated "assertion"
#include <assert.h>
#include <stdlib.h>

extern int sensor_mode;
int read_sensor(int channel);

int main(void) {
    int value = read_sensor(2);
    assert(sensor_mode == 3 && rand() == 4);
#ifdef WRONG
    assert(value != 7);
#else
    assert(0 <= value && value <= 9);
#endif
}
