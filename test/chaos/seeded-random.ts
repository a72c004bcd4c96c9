/** A number of [0, 1) that depends only on the seed and its purpose. */
export function randomFraction(seed: number, ...about: (string | number)[]): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const char of about.join(" ")) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Chooses one name by its weight; the weights must sum up to 100. */
export function randomChoice<Name extends string>(
  weights: Record<Name, number>,
  fraction: number,
): Name {
  const names = Object.keys(weights) as Name[];
  let left = fraction * 100;
  for (const name of names) {
    left -= weights[name];
    if (left < 0) return name;
  }
  throw new Error("the weights do not sum up to 100");
}
