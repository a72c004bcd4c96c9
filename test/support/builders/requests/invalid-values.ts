/** One value of each JSON type; a field gets the values of the other types. */
const JSON_VALUES = [true, 1.5, "x", {}, []] as const;

const VALID_VALUES = {
  integer: [],
  string: ["x"],
  word: [],
  boolean: [true],
  object: [{}],
  array: [[]],
  "string or object": ["x", {}],
} as const;

export type FieldKind = keyof typeof VALID_VALUES;

/**
 * The values that a field of this kind must reject. Null is one of them when the field is
 * required.
 */
export function invalidValuesOf(kind: FieldKind, { required }: { required: boolean }): unknown[] {
  const fitting: readonly unknown[] = VALID_VALUES[kind];
  return [...(required ? [null] : []), ...JSON_VALUES].filter(
    (value) => !fitting.some((fit) => JSON.stringify(fit) === JSON.stringify(value)),
  );
}

/** A copy of `body` with `value` at a dotted path; creates missing objects and arrays. */
export function withValueAt(body: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(body) as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() ?? "";
  let parent: any = copy;
  names.forEach((name, index) => {
    parent[name] ??= /^\d+$/.test(names[index + 1] ?? last) ? [] : {};
    parent = parent[name];
  });
  parent[last] = value;
  return copy;
}
