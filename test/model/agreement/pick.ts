/** The item of a number, modulo the number of items. */
export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
