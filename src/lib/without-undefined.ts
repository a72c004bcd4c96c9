/** The fields that are not undefined. */
export function withoutUndefined<Fields extends object>(fields: Fields): DefinedFields<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as DefinedFields<Fields>;
}

type DefinedFields<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
