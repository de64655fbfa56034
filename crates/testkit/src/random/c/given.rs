//! Functions that random ones call: with any number of arguments, and on numbers of
//! 128 bits.

use crate::rng::Rng;

/// Adds up arguments that it does not name: a digit of base 4 for each says what it is.
pub const GATHER: &str = "\
static u64 @gather(u32 kinds, ...) {
  u64 h = 3;
  __builtin_va_list list, copy;
  __builtin_va_start(list, kinds);
  __builtin_va_copy(copy, list);
  for (u32 k = kinds; k > 1; k /= 4) {
    switch (k % 4) {
    case 0: h = h * 7 + (u64)__builtin_va_arg(list, i32); break;
    case 1: h = h * 7 + __builtin_va_arg(list, u64); break;
    case 2: h = h * 7 + (u64)d2i(__builtin_va_arg(list, double)); break;
    default: { struct @S s = __builtin_va_arg(list, struct @S); h = h * 7 + (u64)s.f0 + (u64)s.f1; }
    }
  }
  if (kinds > 3 && kinds % 4 == 1) h += __builtin_va_arg(copy, u64);
  __builtin_va_end(copy);
  __builtin_va_end(list);
  return h;
}
";

/// What is done to a number of 128 bits, none of which overflows with a sign.
const STEPS: [&str; 14] = [
    "w = w * (a | 1) + k;",
    "w = w >> (k % 128);",
    "w = w << ((k + 7) % 128);",
    "w -= (wide)s;",
    "w /= b | 1;",
    "w %= (wide)b << 32 | 5;",
    "s = s >> (k % 128);",
    "s = (__int128)(w ^ (wide)s);",
    "if (s < (__int128)b) w++;",
    "if (w >= (wide)a << (k % 64)) w = ~w;",
    "s /= (__int128)(k % 1000 + 1);",
    "s %= (__int128)(k | 1);",
    "w += (wide)(__int128)(i64)b;",
    "w ^= (u64)(double)(w >> 70) + (u64)d2i((double)(s >> 90));",
];

/// A function on numbers of 128 bits.
pub fn wide(rng: &mut Rng) -> String {
    let mut lines = vec![
        "static u64 @wide(u64 a, u64 b, u32 k) {".to_owned(),
        "  typedef unsigned __int128 wide;".to_owned(),
        "  wide w = (wide)a << 64 | b;".to_owned(),
        "  __int128 s = (__int128)(w ^ k);".to_owned(),
    ];
    for _ in 0..rng.between(3, 8) {
        lines.push(format!("  {}", STEPS[rng.below(STEPS.len() as u32) as usize]));
    }
    lines.push("  w ^= (wide)s;".into());
    lines.push("  return (u64)w ^ (u64)(w >> 64);".into());
    lines.push("}".into());
    lines.join("\n") + "\n"
}
