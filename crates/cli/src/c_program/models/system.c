// What programs ask of the system and what is made of other functions.

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;

void *calloc(size_t, size_t);
void *realloc(void *, size_t);
int fgetc(void *);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

double difftime(long later, long earlier) { return (double)later - (double)earlier; }

enum { ANONYMOUS = 0x20 };

void __threadproof_refuse_mapping(void);

// Memory that no file is behind.
void *mmap(void *hint, size_t size, int rights, int flags, int file, long offset) {
    if (!(flags & ANONYMOUS))
        __threadproof_refuse_mapping();
    void *memory = calloc(1, size);
    return memory ? memory : (void *)-1;
}

void *mmap64(void *hint, size_t size, int rights, int flags, int file, long long offset) {
    return mmap(hint, size, rights, flags, file, 0);
}

int rand_r(unsigned *seed) {
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0);
    *seed += 1;
    return number;
}

ssize_t getdelim(char **line, size_t *size, int last, void *file) {
    size_t n = 0;
    int c;
    while ((c = fgetc(file)) >= 0) {
        if (!*line || n + 2 > *size) {
            size_t larger = n + 2;
            char *new = realloc(*line, larger);
            if (!new)
                return -1;
            *line = new;
            *size = larger;
        }
        (*line)[n++] = (char)c;
        if (c == last)
            break;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getline(char **line, size_t *size, void *file) { return getdelim(line, size, '\n', file); }
