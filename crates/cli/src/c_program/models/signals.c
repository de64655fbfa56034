// Handlers of signals, and sets of them. They are kept, and no signal arrives: a verdict
// says so. Whoever sends one is refused.

typedef void handler(int);

// As glibc has it, for 1024 signals.
typedef struct {
    unsigned long words[1024 / (8 * sizeof(unsigned long))];
} sigset_t;

struct sigaction {
    handler *function;
    sigset_t mask;
    int flags;
    void (*restorer)(void);
};

enum { LAST = 64, INVALID = 22, BLOCK = 0, UNBLOCK = 1, SET = 2 };

void __threadproof_assume_no_signal(void);
int *__errno_location(void);

static struct sigaction actions[LAST + 1];
static _Thread_local sigset_t blocked;

static int fail(void) {
    *__errno_location() = INVALID;
    return -1;
}

static int is_signal(int number) { return number > 0 && number <= LAST; }

static int index_of(int number) { return (number - 1) / (8 * (int)sizeof(unsigned long)); }

static unsigned long bit_of(int number) {
    return 1ul << (number - 1) % (8 * (int)sizeof(unsigned long));
}

int sigemptyset(sigset_t *set) {
    *set = (sigset_t){{0}};
    return 0;
}

int sigfillset(sigset_t *set) {
    for (unsigned i = 0; i < sizeof set->words / sizeof *set->words; i++)
        set->words[i] = ~0ul;
    return 0;
}

int sigaddset(sigset_t *set, int number) {
    if (!is_signal(number))
        return fail();
    set->words[index_of(number)] |= bit_of(number);
    return 0;
}

int sigdelset(sigset_t *set, int number) {
    if (!is_signal(number))
        return fail();
    set->words[index_of(number)] &= ~bit_of(number);
    return 0;
}

int sigismember(const sigset_t *set, int number) {
    if (!is_signal(number))
        return fail();
    return (set->words[index_of(number)] & bit_of(number)) != 0;
}

// The system keeps the handlers of all threads: its accesses are in no data race.
int __VERIFIER_atomic_threadproof_act(int number, const struct sigaction *new, struct sigaction *old) {
    struct sigaction before = actions[number];
    if (new)
        actions[number] = *new;
    if (old)
        *old = before;
    return 0;
}

int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
    struct sigaction copy, before;
    if (!is_signal(number))
        return fail();
    __threadproof_assume_no_signal();
    if (new)
        copy = *new;
    __VERIFIER_atomic_threadproof_act(number, new ? &copy : 0, &before);
    if (old)
        *old = before;
    return 0;
}

handler *signal(int number, handler *function) {
    struct sigaction new = {function}, old;
    if (sigaction(number, &new, &old))
        return (handler *)-1;
    return old.function;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    sigset_t before = blocked;
    if (set && how != BLOCK && how != UNBLOCK && how != SET)
        return INVALID;
    for (unsigned i = 0; set && i < sizeof set->words / sizeof *set->words; i++) {
        if (how == BLOCK)
            blocked.words[i] |= set->words[i];
        else if (how == UNBLOCK)
            blocked.words[i] &= ~set->words[i];
        else
            blocked.words[i] = set->words[i];
    }
    if (old)
        *old = before;
    return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    return pthread_sigmask(how, set, old) ? fail() : 0;
}
