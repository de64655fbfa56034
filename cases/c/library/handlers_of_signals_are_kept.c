//@ verdict: holds
//@ note: no signal arrives
//@ verdict with -DRAISE: unknown "signals are not followed"
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

void stop(int number) {}

void *block(void *unused) {
    sigset_t mine, old;
    sigemptyset(&mine);
    sigaddset(&mine, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &mine, &old);
    assert(!sigismember(&old, SIGUSR1));
    pthread_sigmask(SIG_BLOCK, NULL, &old);
    assert(sigismember(&old, SIGUSR1) && !sigismember(&old, SIGINT));
    return NULL;
}

int main(void) {
    struct sigaction action = {0}, old;
    assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
    action.sa_handler = stop;
    sigemptyset(&action.sa_mask);
    assert(sigaction(SIGINT, &action, NULL) == 0);
    assert(sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == stop);
    assert(sigaction(4711, &action, NULL) == -1);
    pthread_t one, other;
    pthread_create(&one, NULL, block, NULL);
    pthread_create(&other, NULL, block, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
#ifdef RAISE
    raise(SIGINT);
#endif
}
