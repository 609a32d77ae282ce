/** Two-sided 95 % quantile of the standard normal, Φ⁻¹(0.975). The only z in the product: 1.96 moves the fifth digit of a bound. */
export const Z_95 = 1.959963984540054;
