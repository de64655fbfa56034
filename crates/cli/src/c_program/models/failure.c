// Messages about what failed, and the end of the program.

typedef __builtin_va_list list;

extern void *stderr;
int vfprintf(void *, const char *, list);
void perror(const char *);
void exit(int) __attribute__((noreturn));

void vwarnx(const char *format, list arguments) {
    if (format)
        vfprintf(stderr, format, arguments);
}

void vwarn(const char *format, list arguments) {
    vwarnx(format, arguments);
    perror(0);
}

void warnx(const char *format, ...) {
    list arguments;
    __builtin_va_start(arguments, format);
    vwarnx(format, arguments);
    __builtin_va_end(arguments);
}

void warn(const char *format, ...) {
    list arguments;
    __builtin_va_start(arguments, format);
    vwarn(format, arguments);
    __builtin_va_end(arguments);
}

void errx(int code, const char *format, ...) {
    list arguments;
    __builtin_va_start(arguments, format);
    vwarnx(format, arguments);
    __builtin_va_end(arguments);
    exit(code);
}

void err(int code, const char *format, ...) {
    list arguments;
    __builtin_va_start(arguments, format);
    vwarn(format, arguments);
    __builtin_va_end(arguments);
    exit(code);
}
