/** What a folder of src may import: the linter (`oxlint.config.ts`) and its test read this table. */
export interface FolderLaw {
  folder: string;
  /** Other folders of src. */
  imports: string[];
  /** The linter's words for any other. */
  message: string;
  /** Whether its repositories, or all of its files, may write SQL. */
  sql?: "repositories" | "everywhere";
}

/** What a file does not import, and the linter's words for it. */
export interface ImportLaw {
  group: string[];
  message: string;
}

/** The folders of src. */
export const ROOMS = [
  "lib",
  "domain",
  "methods",
  "company",
  "company-client",
  "db",
  "providers",
  "webhooks",
  "http",
  "api",
  "pages",
  "mcp",
  "service-state",
] as const;

/** Entries of the Worker, which nothing imports. */
export const ENTRIES = ["index", "app", "queue", "queue-consumer", "scheduled", "task-runner"];

export const FOLDER_LAWS: FolderLaw[] = [
  { folder: "lib", imports: [], message: "lib imports nothing of ours." },
  { folder: "domain", imports: [], message: "domain imports nothing of ours." },
  {
    folder: "methods",
    imports: ["domain", "lib"],
    message: "methods import only domain and lib.",
  },
  {
    folder: "company",
    imports: ["domain", "lib", "methods"],
    message: "company imports only domain, methods and lib; account.ts is the composition root.",
  },
  {
    folder: "company-client",
    imports: ["company", "domain", "lib"],
    message: "company-client imports only the object's interface, domain and lib.",
  },
  {
    folder: "db",
    imports: ["domain", "lib", "methods", "service-state"],
    message: "db imports only domain, methods, lib and the service's state.",
    sql: "everywhere",
  },
  {
    folder: "providers",
    imports: ["domain", "lib", "methods"],
    message: "providers import only domain, methods and lib; the registry is the composition root.",
  },
  {
    folder: "webhooks",
    imports: ["db", "domain", "lib"],
    message: "webhooks import only db, domain and lib.",
    sql: "repositories",
  },
  {
    folder: "http",
    imports: ["db", "domain", "lib", "webhooks", "providers", "service-state"],
    message: "http imports no resource, no page and no object.",
  },
  {
    folder: "mcp",
    imports: ["api", "domain", "http", "lib", "pages"],
    message: "mcp calls routes: it imports only api, domain, http, lib and pages.",
  },
  {
    folder: "service-state",
    imports: ["company", "domain", "lib"],
    message: "service-state imports only domain, lib and the storage of objects.",
  },
  {
    folder: "pages",
    // Screens are named after what they show, such as a company, so the linter cannot tell these folders apart.
    imports: [
      "api",
      "company",
      "company-client",
      "db",
      "domain",
      "http",
      "lib",
      "methods",
      "providers",
      "webhooks",
    ],
    message: "pages import no tool of assistants, and read the service's state by routes only.",
  },
];

/** A resource of the API. */
export const RESOURCE_LAWS: ImportLaw[] = [
  {
    group: ["../*/routes.ts", "../../*/routes.ts"],
    message: "A resource never imports another resource's routes.",
  },
  {
    group: ["**/providers/sandbox/**"],
    message: "Nothing outside providers knows that the sandbox is not a bank.",
  },
  { group: ["**/pages/**"], message: "A resource imports no page." },
];

export const SQL_LAW: ImportLaw = {
  group: ["drizzle-orm", "drizzle-orm/**"],
  message: "SQL is only in db and in repositories.",
};

/** Files of a company's object with SQL. */
export const OBJECT_SQL_FILES = [
  "src/company/*/*-store.ts",
  "src/company/storage/*.ts",
  "src/company/ledger/audit*.ts",
];

/** They make the stores. */
export const OBJECT_SQL_MAKERS = "src/company/{stores,compose}.ts";

export const OBJECT_SQL_LAW: ImportLaw = {
  group: ["**/storage/named-sql.ts", "**/storage/table.ts"],
  message: "SQL of the object is in stores, in company/storage and in the audit.",
};

export const NO_WAY_UP: ImportLaw = {
  group: ["../*.ts", "**/calls.ts"],
  message: "A folder of the object imports no calls and nothing that puts the folders together.",
};

export const NO_COMMANDS: ImportLaw = {
  group: ["**/*-commands.ts"],
  message: "Rules, transitions and stores know no commands.",
};

export const NO_DECISIONS: ImportLaw = {
  group: ["**/*-rules.ts", "**/*-transitions.ts"],
  message: "A store decides nothing.",
};

/** The names by which a file in a folder of the object has a role (docs/architecture.md#inside-the-object). */
export const OBJECT_ROLES: Record<string, RegExp> = {
  call: /^calls\.ts$/,
  type: /^(command-types|payment-types|ports)\.ts$/,
  command: /-commands\.ts$/,
  transition: /(-transitions|^reservations)\.ts$/,
  rule: /-rules\.ts$/,
  store: /-store\.ts$/,
  audit: /^audit(-\w+)?\.ts$/,
};

/** Folders that run the object itself: its alarm, tables, outbox, leases, pages. Their files have names of their own. */
export const OBJECT_MACHINE = ["deliveries", "live", "outbox", "runtime", "storage"];

/** Classes that commands share, or that a long one is made of. A file without a class only computes. */
export const OBJECT_PARTS = [
  "charges/card-attempts.ts",
  "charges/payment-decisions.ts",
  "contradictions/told-amounts.ts",
  "disputes/instead-refunds.ts",
  "exits/exit-approvals.ts",
  "ledger/holds.ts",
  "ledger/ledger-length.ts",
  "operations/operation-claims.ts",
  "operations/operation-ends.ts",
  "operations/operation-replies.ts",
  "operations/operation-results.ts",
  "operations/told-sums.ts",
  "operators/freezes.ts",
  "releases/due-releases.ts",
  "subscriptions/cycle-ends.ts",
  "subscriptions/debit-findings.ts",
  "subscriptions/cycle-payments.ts",
  "subscriptions/subscription-schedule.ts",
  "withdraws/payout-notifier.ts",
];

/** What the roles of files in a company's object import; the last that fits holds. */
export const OBJECT_LAWS: { files: string; laws: ImportLaw[] }[] = [
  { files: "src/company/*.ts", laws: [OBJECT_SQL_LAW] },
  { files: "src/company/*/**", laws: [OBJECT_SQL_LAW, NO_WAY_UP] },
  {
    files: "src/company/*/{*-rules,*-transitions,reservations}.ts",
    laws: [OBJECT_SQL_LAW, NO_WAY_UP, NO_COMMANDS],
  },
  ...OBJECT_SQL_FILES.map((files) => ({ files, laws: [NO_WAY_UP, NO_COMMANDS, NO_DECISIONS] })),
];

/** They put the parts together, so they import whatever they need. */
export const COMPOSITION_ROOTS = ["src/company/account.ts", "src/providers/registry.ts"];
