/** Sets a member of any name: assigning `__proto__` would set the prototype instead. */
export function setMember<T>(value: { [key: string]: T }, key: string, member: T): void {
  if (key === '__proto__') Object.defineProperty(value, key, { value: member, enumerable: true, configurable: true, writable: true });
  else value[key] = member;
}
