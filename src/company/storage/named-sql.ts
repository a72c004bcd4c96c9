/** What `exec` returns for a row, by column or alias. */
export type SqlRow = Record<string, SqlStorageValue>;

/** The rest of a text up to the first `End`; the whole text without one. */
type Before<Text extends string, End extends string> = Text extends `${infer Head}${End}${string}`
  ? Head
  : Text;

/** The name with which a text begins: a blank, a comma, a bracket or a line's end follows it. */
type FirstName<Text extends string> = Before<Before<Before<Before<Text, " ">, ",">, ")">, "\n">;

/** The names of a statement's values: `limit` of `LIMIT :limit`. */
type NamesIn<Text extends string> = Text extends `${string}:${infer Rest}`
  ? FirstName<Rest> | NamesIn<Rest>
  : never;

/** A value for each name in a text. Where the compiler does not know the text, only `exec` checks the names. */
type NamedValues<Text extends string> = string extends Text
  ? Record<string, SqlStorageValue>
  : Record<NamesIn<Text>, SqlStorageValue>;

const NAME = /:([a-z]\w*)/giu;

/** The names of each text that was run. Texts are few: values are never part of one. */
const namesByText = new Map<string, readonly string[]>();

/**
 * A statement whose values have names, such as `:amount`; a colon has no other use in it. Serves statements with more
 * than one value: `exec` of SqlStorage takes values by position only, where two amounts are easily swapped.
 */
export function named<Text extends string>(text: Text): NamedSql<Text> {
  return new NamedSql(text);
}

class NamedSql<Text extends string> {
  readonly #text: Text;

  constructor(text: Text) {
    this.#text = text;
  }

  /** Runs it. Throws if a name has no value, or a value no name. */
  exec<Row extends SqlRow>(sql: SqlStorage, values: NamedValues<Text>): SqlStorageCursor<Row> {
    const names = namesIn(this.#text);
    const given: SqlRow = values;
    const isExact =
      names.every((name) => Object.hasOwn(given, name)) &&
      Object.keys(given).length === names.length;
    if (!isExact) throw new Error(`not the names of its values: ${this.#text}`);
    return sql.exec<Row>(this.#text, ...names.map((name) => given[name] ?? null));
  }
}

/** A text's names in SQLite's order: each by its first occurrence. */
function namesIn(text: string): readonly string[] {
  const known = namesByText.get(text);
  if (known !== undefined) return known;
  const names = [...new Set(Array.from(text.matchAll(NAME), ([, name = ""]) => name))];
  namesByText.set(text, names);
  return names;
}
