/** Two-sided 95 % quantile of the standard normal, Φ⁻¹(0.975). Not 1.96, which moves the fifth digit of a bound. */
export const Z_95 = 1.959963984540054;
