/** The rewrites of existing rows in a migration; empty if there are none. */
export function tableRewritesOf(
  migrations: readonly string[],
  isSmall: (table: string) => boolean,
) {
  const known = new Set<string>();
  return migrations.flatMap((migration, index) => {
    const made = new Set<string>();
    const faults: string[] = [];
    for (const statement of statementsOf(migration)) {
      const table = CREATE_TABLE.exec(statement)?.[1];
      if (table !== undefined) made.add(table);
      const isOld = (name: string | undefined) =>
        name !== undefined && known.has(name) && !made.has(name) && !isSmall(name);
      const fault = RULES.find(({ pattern, anyTable }) => {
        const match = pattern.exec(statement);
        return match !== null && (anyTable === true || isOld(match.groups?.["table"]));
      });
      // The first migration creates its tables: there are no rows to rewrite.
      if (fault !== undefined && index > 0) faults.push(`${fault.what}: ${statement.slice(0, 80)}`);
    }
    for (const table of made) known.add(table);
    return faults;
  });
}

const NAME = '[`"]?(?<table>\\w+)[`"]?';
const CREATE_TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?[`"]?(\w+)/i;

const RULES: { what: string; pattern: RegExp; anyTable?: true }[] = [
  { what: "rewrites rows", pattern: new RegExp(`^UPDATE (?:OR \\w+ )?${NAME}`, "i") },
  { what: "deletes rows", pattern: new RegExp(`^DELETE FROM ${NAME}`, "i") },
  {
    what: "copies a table",
    pattern: /^(?:INSERT|REPLACE)\b.*\bSELECT\b.*\bFROM\b|^CREATE TABLE \S+ AS\b/i,
    anyTable: true,
  },
  {
    what: "reads a whole table for its index",
    pattern: new RegExp(`^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\\S+ ON ${NAME}`, "i"),
  },
  {
    what: "checks a whole table",
    pattern: new RegExp(`^ALTER TABLE ${NAME} ADD (?:COLUMN )?.*\\bCHECK\\b`, "i"),
  },
  {
    what: "rewrites a whole table",
    pattern: new RegExp(`^ALTER TABLE ${NAME} (?:DROP|RENAME|ALTER)\\b`, "i"),
  },
  { what: "takes something away", pattern: /^DROP\b/i, anyTable: true },
];

/**
 * The statements of a script, each in one line without comments and without its triggers. A trigger that is
 * dropped and made again right away is changed, not taken away.
 */
function statementsOf(script: string): string[] {
  const text = script.replaceAll(/--[^\n]*/g, " ").replaceAll(/\s+/g, " ");
  const triggers: string[] = [];
  return text
    .replaceAll(/DROP TRIGGER ([`\w]+); ?(?=CREATE TRIGGER \1 )/gi, "")
    .replaceAll(/CREATE TRIGGER\b.*?\bEND\b/gi, (trigger) => `TRIGGER${triggers.push(trigger)}`)
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "" && !/^TRIGGER\d+$/.test(statement));
}
