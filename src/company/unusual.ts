/** An object without what is as `usual` says: whoever reads it puts the usual back. */
export function unusual<Value extends object>(value: Value, usual: object): Partial<Value> {
  const usually = new Map(Object.entries(usual));
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, each]) => !usually.has(name) || !isSame(each, usually.get(name)),
    ),
  ) as Partial<Value>;
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const areObjects = left instanceof Object && right instanceof Object;
  return areObjects && JSON.stringify(left) === JSON.stringify(right);
}
