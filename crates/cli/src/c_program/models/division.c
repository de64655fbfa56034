// Quotients with their remainders.

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

div_t div(int left, int right) { return (div_t){left / right, left % right}; }
ldiv_t ldiv(long left, long right) { return (ldiv_t){left / right, left % right}; }
lldiv_t lldiv(long long left, long long right) { return (lldiv_t){left / right, left % right}; }
