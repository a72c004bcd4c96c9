import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ENTRIES,
  FOLDER_LAWS,
  NO_COMMANDS,
  NO_DECISIONS,
  NO_WAY_UP,
  OBJECT_SQL_LAW,
  ROOMS,
  SQL_LAW,
} from "../../../tools/dev/import-laws.ts";

const REPOSITORY = join(import.meta.dirname, "../../..");
const RULE = "eslint(no-restricted-imports)";

interface Case {
  /** The importing file, within src. */
  path: string;
  imports: string;
  /** Null if the import is allowed. */
  message: string | null;
}

const FOLDER_VIOLATIONS: Case[] = FOLDER_LAWS.flatMap(({ folder, imports, message }) =>
  ROOMS.filter((other) => other !== folder && !imports.includes(other)).map((other) => ({
    path: `${folder}/to-${other}.ts`,
    imports: `../${other}/x.ts`,
    message,
  })),
);

const ENTRY_VIOLATIONS: Case[] = FOLDER_LAWS.flatMap(({ folder, message }) =>
  ENTRIES.map((entry) => ({
    path: `${folder}/to-entry-${entry}.ts`,
    imports: `../${entry}.ts`,
    message,
  })),
);

const OTHER_VIOLATIONS: Case[] = [
  {
    path: "providers/pix-api/deep.ts",
    imports: "../../db/schema/transactions.ts",
    message: "providers import only domain, methods and lib; the registry is the composition root.",
  },
  {
    path: "api/withdraws/to-other-routes.ts",
    imports: "../transactions/routes.ts",
    message: "A resource never imports another resource's routes.",
  },
  {
    path: "api/operator/keys/to-other-routes.ts",
    imports: "../companies/routes.ts",
    message: "A resource never imports another resource's routes.",
  },
  {
    path: "api/boletos/to-page.ts",
    imports: "../../pages/docs.ts",
    message: "A resource imports no page.",
  },
  {
    path: "api/withdraws/to-sandbox.ts",
    imports: "../../providers/sandbox/provider.ts",
    message: "Nothing outside providers knows that the sandbox is not a bank.",
  },
];

const SQL_VIOLATIONS: Case[] = [
  "api/events/service.ts",
  "api/transactions/service.ts",
  "webhooks/delivery/send.ts",
  "company/ledger/store.ts",
  "company-client/stub.ts",
  "domain/ledger/ledger.ts",
  "http/auth/auth.ts",
  "lib/hash.ts",
  "methods/pix/pix.ts",
  "pages/docs.ts",
  "providers/sandbox/store.ts",
  "queue.ts",
].flatMap((path) => [
  { path, imports: "drizzle-orm", message: SQL_LAW.message },
  { path: path.replace(".ts", "-d1.ts"), imports: "drizzle-orm/d1", message: SQL_LAW.message },
]);

const OBJECT_IMPORTS: [path: string, imports: string, message: string][] = [
  ["charges/to-compose.ts", "../compose.ts", NO_WAY_UP.message],
  ["charges/to-calls.ts", "./calls.ts", NO_WAY_UP.message],
  ["charges/charge-rules.ts", "./charge-commands.ts", NO_COMMANDS.message],
  ["charges/charge-transitions.ts", "../links/link-commands.ts", NO_COMMANDS.message],
  ["charges/charge-store.ts", "./charge-commands.ts", NO_COMMANDS.message],
  ["charges/payment-store.ts", "./charge-rules.ts", NO_DECISIONS.message],
  ["charges/refund-store.ts", "../compose.ts", NO_WAY_UP.message],
  ["charges/charge-commands.ts", "../storage/named-sql.ts", OBJECT_SQL_LAW.message],
  ["charges/refund-rules.ts", "../storage/table.ts", OBJECT_SQL_LAW.message],
  ["snapshot.ts", "./storage/named-sql.ts", OBJECT_SQL_LAW.message],
];

const OBJECT_VIOLATIONS: Case[] = OBJECT_IMPORTS.map(([path, imports, message]) => ({
  path: `company/${path}`,
  imports,
  message,
}));

const ALLOWED_IMPORTS: [string, string][] = [
  ["domain/shared/neighbour.ts", "./money.ts"],
  ["domain/ledger/to-shared.ts", "../shared/money.ts"],
  ["methods/pix/to-domain.ts", "../../domain/shared/money.ts"],
  ["methods/pix/to-lib.ts", "../../lib/fields/fields.ts"],
  ["company/charges/to-methods.ts", "../../methods/registry.ts"],
  ["company/ledger/to-aggregate.ts", "../outbox/drain.ts"],
  ["company/calls.ts", "./charges/calls.ts"],
  ["company/charges/calls.ts", "./charge-commands.ts"],
  ["company/charges/suspense-commands.ts", "./charge-rules.ts"],
  ["company/charges/decline-store.ts", "../storage/named-sql.ts"],
  ["company/ledger/audit-charges.ts", "../storage/named-sql.ts"],
  ["company/storage/meta-store.ts", "./table.ts"],
  ["company-client/to-object.ts", "../company/object.ts"],
  ["domain/library.ts", "@brazilian-utils/brazilian-utils"],
  ["lib/neighbour.ts", "./assert.ts"],
  ["company/to-domain.ts", "../domain/ledger/ledger.ts"],
  ["company/to-lib.ts", "../lib/assert.ts"],
  ["company/account.ts", "../db/projection/records.ts"],
  ["db/to-domain.ts", "../domain/shared/ids.ts"],
  ["db/to-lib.ts", "../lib/hash.ts"],
  ["providers/to-domain.ts", "../domain/shared/money.ts"],
  ["providers/sandbox/to-port.ts", "../provider.ts"],
  ["providers/registry.ts", "../db/sandbox-book.ts"],
  ["webhooks/to-db.ts", "../db/client.ts"],
  ["api/withdraws/own-routes.ts", "./routes.ts"],
  ["api/withdraws/to-other-service.ts", "../transactions/service.ts"],
  ["api/withdraws/to-company.ts", "../../company-client/stub.ts"],
  ["api/withdraws/to-registry.ts", "../../providers/registry.ts"],
  ["api/events/repository.ts", "drizzle-orm"],
  ["api/events/outbox-repository.ts", "drizzle-orm/d1"],
  ["api/transactions/read/repository.ts", "drizzle-orm"],
  ["db/companies/to-sql.ts", "drizzle-orm"],
  ["db/companies/to-d1.ts", "drizzle-orm/d1"],
  ["webhooks/delivery/repository.ts", "drizzle-orm"],
];

const ALLOWED: Case[] = ALLOWED_IMPORTS.map(([path, imports]) => ({
  path,
  imports,
  message: null,
}));

/** A file of the object that names the type of its database, and files that may. */
const NAMES_SQL = "company/charges/sql-rules.ts";
const MAY_NAME_SQL = ["company/charges/sql-store.ts", "company/stores.ts"];

const CASES = [
  ...FOLDER_VIOLATIONS,
  ...ENTRY_VIOLATIONS,
  ...OTHER_VIOLATIONS,
  ...SQL_VIOLATIONS,
  ...OBJECT_VIOLATIONS,
  ...ALLOWED,
];

let folder: string;
let verdicts: Map<string, { code: string; help: string }[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "centavo-import-laws-"));
  await mkdir(join(folder, "tools/dev"), { recursive: true });
  for (const file of ["oxlint.config.ts", "tools/dev/import-laws.ts"]) {
    await copyFile(join(REPOSITORY, file), join(folder, file));
  }
  await symlink(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  await Promise.all(CASES.map(writeCase));
  await Promise.all(
    [NAMES_SQL, ...MAY_NAME_SQL].map((path) => write(path, "export type Sql = SqlStorage;\n")),
  );
  verdicts = await lint(folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("rejects a forbidden import of a folder", () => {
  test.each(FOLDER_VIOLATIONS)("src/$path imports $imports", ({ path, message }) => {
    expect(verdicts.get(path)).toEqual([{ code: RULE, help: message }]);
  });
});

describe("rejects an import of the Worker's entry", () => {
  test.each(ENTRY_VIOLATIONS)("src/$path imports $imports", ({ path, message }) => {
    expect(verdicts.get(path)).toEqual([{ code: RULE, help: message }]);
  });
});

describe("rejects a forbidden import of a resource", () => {
  test.each(OTHER_VIOLATIONS)("src/$path imports $imports", ({ path, message }) => {
    expect(verdicts.get(path)).toEqual([{ code: RULE, help: message }]);
  });
});

describe("SQL outside db and repositories is refused", () => {
  test.each(SQL_VIOLATIONS)("src/$path imports $imports", ({ path, message }) => {
    expect(verdicts.get(path)).toEqual([{ code: RULE, help: message }]);
  });
});

describe("the roles of files in a company's object are kept", () => {
  test.each(OBJECT_VIOLATIONS)("src/$path imports $imports", ({ path, message }) => {
    expect(verdicts.get(path)).toEqual([{ code: RULE, help: message }]);
  });
});

describe("only files with SQL name the object's database", () => {
  test("a rule that names it is refused", () => {
    const code = "typescript(no-restricted-types)";
    expect(verdicts.get(NAMES_SQL)).toEqual([{ code, help: OBJECT_SQL_LAW.message }]);
  });

  test("a store and what makes the stores name it", () => {
    for (const path of MAY_NAME_SQL) expect(verdicts.get(path)).toBeUndefined();
  });
});

describe("a lawful import is accepted", () => {
  test.each(ALLOWED)("src/$path imports $imports", ({ path }) => {
    expect(verdicts.get(path)).toBeUndefined();
  });
});

/** Every second file imports a type, because a type couples the folders as much. */
async function writeCase({ path, imports }: Case, index: number): Promise<void> {
  const kind = index % 2 === 0 ? "type Thing" : "thing";
  const use = index % 2 === 0 ? "export type Other = Thing;" : "export const other = thing;";
  await write(path, `import { ${kind} } from "${imports}";\n${use}\n`);
}

async function write(path: string, text: string): Promise<void> {
  const file = join(folder, "src", path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The linter's messages for each file below src, by path. */
async function lint(root: string): Promise<typeof verdicts> {
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      [join(REPOSITORY, "node_modules/.bin/oxlint"), "--format", "json", "src"],
      { cwd: root },
      // The linter exits with 1 when it finds something, as intended here.
      (error, stdout) => (stdout.startsWith("{") ? resolve(stdout) : reject(error)),
    );
  });
  const report = JSON.parse(output) as {
    number_of_files: number;
    diagnostics: { filename: string; code: string; help: string }[];
  };
  if (report.number_of_files !== CASES.length + 1 + MAY_NAME_SQL.length)
    throw new Error(`not all files: ${output}`);
  const byPath: typeof verdicts = new Map();
  for (const { filename, code, help } of report.diagnostics) {
    const path = filename.replace(/^src\//, "");
    byPath.set(path, [...(byPath.get(path) ?? []), { code, help }]);
  }
  return byPath;
}
