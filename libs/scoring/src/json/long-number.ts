/** Up to 15 digits and two-digit exponents survive as a 64-bit float; only longer numbers need a second look. */
export const LONG_NUMBER = /[0-9.]{16}|[eE][+-]?[0-9]{3}/;
