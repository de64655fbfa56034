//@ args: --model cases/c/model/a_sensor_shows_any_digit.c --model-replaces rand
//@ verdict: violated "race"
#include <pthread.h>
#include <stddef.h>

int read_sensor(int channel);

static void *poll(void *unused) {
    read_sensor(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, poll, NULL);
    read_sensor(2);
    pthread_join(thread, NULL);
}
