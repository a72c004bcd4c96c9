import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../tools/lib/root.ts";
import { drizzleComments, sqlComments } from "../../../tools/lib/schema-comments.ts";
import { storagePage } from "../../../tools/lib/storage-page.ts";

test("docs/generated/storage.md is what the schema says: `npm run docs:storage` writes it", async () => {
  // Throws if a table, a column or an index has no comment.
  const page = await storagePage();
  expect(readFileSync(join(ROOT, "docs/generated/storage.md"), "utf8")).toBe(page);
});

test("reads the comments of a drizzle table", () => {
  const source = `
/**
 * What it is,
 * and who writes it.
 */
export const things = sqliteTable(
  "things",
  {
    companyId: integer("company_id").notNull(),
    /** Its terms. */
    terms: text("terms", { mode: "json" }).notNull(),
  },
  (table) => [
    /** One thing. */
    primaryKey({ columns: [table.companyId] }),
    /** The list. */
    index("things_list").on(table.companyId),
  ],
);
`;
  expect(Object.fromEntries(drizzleComments("things.ts", source))).toEqual({
    things: {
      file: "things.ts",
      comment: "What it is,\nand who writes it.",
      columns: new Map([
        ["company_id", { comment: undefined }],
        ["terms", { comment: "Its terms.", mode: "json" }],
      ]),
      indexes: new Map([["things_list", "The list."]]),
      key: "One thing.",
    },
  });
});

test("reads the comments of SQL", () => {
  const sql = `
  -- What it is,
  -- and who writes it.
  CREATE TABLE things (
    id INTEGER PRIMARY KEY, -- Dense.
    -- JSON: its terms.
    -- Such as {"a":1}
    terms TEXT NOT NULL,
    bare TEXT
  ) STRICT;
  -- The list.
  CREATE INDEX things_list ON things (terms);
`;
  expect(Object.fromEntries(sqlComments("things.ts", sql))).toEqual({
    things: {
      file: "things.ts",
      comment: "What it is,\nand who writes it.",
      columns: new Map([
        ["id", { comment: "Dense." }],
        ["terms", { comment: 'JSON: its terms.\nSuch as {"a":1}' }],
        ["bare", { comment: undefined }],
      ]),
      indexes: new Map([["things_list", "The list."]]),
    },
  });
});
