// Functions on texts that are made of others.

typedef __SIZE_TYPE__ size_t;

char *strchr(const char *, int);
size_t strlen(const char *);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
int strcmp(const char *, const char *);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);

char *strtok_r(char *text, const char *between, char **next) {
    char *start = text ? text : *next;
    if (!start)
        return 0;
    start += strspn(start, between);
    if (!*start) {
        *next = 0;
        return 0;
    }
    char *end = start + strcspn(start, between);
    *next = *end ? end + 1 : 0;
    *end = 0;
    return start;
}

char *__strtok_r(char *text, const char *between, char **next) {
    return strtok_r(text, between, next);
}

char *strsep(char **next, const char *between) {
    char *start = *next;
    if (!start)
        return 0;
    char *end = start + strcspn(start, between);
    if (*end) {
        *end = 0;
        *next = end + 1;
    } else {
        *next = 0;
    }
    return start;
}

char *strpbrk(const char *text, const char *wanted) {
    const char *at = text + strcspn(text, wanted);
    return *at ? (char *)at : 0;
}

char *strchrnul(const char *text, int wanted) {
    char *at = strchr(text, wanted);
    return at ? at : (char *)text + strlen(text);
}

int strcoll(const char *left, const char *right) { return strcmp(left, right); }

char *strerror(int number) {
    (void)number;
    return (char *)"error";
}

int strerror_r(int number, char *text, size_t size) {
    if (size < 6)
        return 34;
    memcpy(text, strerror(number), 6);
    return 0;
}

void *memmem(const void *text, size_t n, const void *wanted, size_t n_wanted) {
    for (size_t i = 0; n_wanted <= n && i <= n - n_wanted; i++) {
        const char *at = (const char *)text + i;
        if (memcmp(at, wanted, n_wanted) == 0)
            return (void *)at;
    }
    return 0;
}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size > 0) {
        size_t kept = length < size ? length : size - 1;
        memcpy(to, from, kept);
        to[kept] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t start = 0;
    while (start < size && to[start])
        start++;
    return start + (start < size ? strlcpy(to + start, from, size - start) : strlen(from));
}
