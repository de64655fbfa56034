//@ verdict: violated "deadlock"
#include <pthread.h>

pthread_t main_thread;

void *join_main(void *unused) {
    pthread_join(main_thread, NULL);
    return NULL;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, NULL, join_main, NULL);
    pthread_join(t, NULL);
}
