import { defineConfig, type OxlintOverride } from "oxlint";
import {
  COMPOSITION_ROOTS,
  ENTRIES,
  FOLDER_LAWS,
  OBJECT_LAWS,
  OBJECT_SQL_FILES,
  OBJECT_SQL_LAW,
  OBJECT_SQL_MAKERS,
  RESOURCE_LAWS,
  ROOMS,
  SQL_LAW,
  type FolderLaw,
  type ImportLaw,
} from "./tools/dev/import-laws.ts";

/** Programs, which print. */
const PRINTING = [
  "tools/**",
  "bench/**",
  "bin/**",
  "clients/typescript/cli/**",
  "examples/**",
  "test/kill/**",
  "test/drill/**",
  "test/languages/**",
  "test/upgrade/**",
  "test/mutation/**",
  "clients/vendure/test/**",
  "src/lib/log.ts",
];
const REPOSITORIES = "{repository,*-repository}.ts";

/** What files must not import. A later entry for the same file replaces an earlier one. */
function refuse(files: string, patterns: ImportLaw[]): OxlintOverride {
  return {
    files: [files],
    rules: { "eslint/no-restricted-imports": ["error", { patterns }] },
  };
}

function foreignTo({ folder, imports, message }: FolderLaw): ImportLaw {
  const foreign = ROOMS.filter((room) => room !== folder && !imports.includes(room));
  // lib is below all others, which go up to them.
  const rooms = folder === "lib" ? ["../**"] : foreign.map((room) => `**/${room}/**`);
  return { group: [...rooms, `../**/{${ENTRIES.join()}}.ts`], message };
}

function lawsOf(law: FolderLaw) {
  const foreign = foreignTo(law);
  const files = `src/${law.folder}/**`;
  if (law.sql === "everywhere") return [refuse(files, [foreign])];
  if (law.folder === "company")
    return OBJECT_LAWS.map((each) => refuse(each.files, [foreign, SQL_LAW, ...each.laws]));
  const strict = refuse(files, [foreign, SQL_LAW]);
  return law.sql === "repositories"
    ? [strict, refuse(`${files}/${REPOSITORIES}`, [foreign])]
    : [strict];
}

export default defineConfig({
  plugins: ["typescript", "unicorn", "import", "promise", "oxc"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: {
    "eslint/no-await-in-loop": "off",
    "eslint/no-console": "error",
    "eslint/no-underscore-dangle": "off",
    // `dunning.then` is a word, which nothing awaits.
    "unicorn/no-thenable": "off",
    "eslint/no-shadow": "error",
    "eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "eslint/no-warning-comments": ["error", { terms: ["todo", "fixme", "xxx", "hack"] }],
    "eslint/max-lines": ["error", { max: 400, skipBlankLines: false, skipComments: false }],
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/await-thenable": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/no-unsafe-type-assertion": "off",
    "typescript/consistent-return": "off",
    "typescript/no-unnecessary-type-parameters": "off",
    "import/no-cycle": "error",
    "oxc/no-async-endpoint-handlers": "off",
    "import/no-unassigned-import": "off",
    "unicorn/no-array-sort": "off",
  },
  ignorePatterns: [
    "node_modules",
    ".wrangler",
    "migrations/meta",
    "dist",
    "clients/*/src/generated",
  ],
  overrides: [
    {
      files: PRINTING,
      rules: { "eslint/no-console": "off" },
    },
    // A beginner's server has an async handler, as Node's documentation writes it.
    { files: ["examples/**"], rules: { "typescript/no-misused-promises": "off" } },
    {
      files: ["src/**", "clients/**"],
      rules: {
        "eslint/max-lines-per-function": [
          "error",
          { max: 70, skipBlankLines: true, skipComments: true },
        ],
      },
    },
    // A circle of types is one for who reads them.
    { files: ["src/**"], rules: { "import/no-cycle": ["error", { ignoreTypes: false }] } },
    {
      // Sums that a payment and an operation both read: their circle is still closed.
      files: [
        "src/company/{charges/suspense-commands,operations/{told-sums,operation-results}}.ts",
      ],
      rules: { "import/no-cycle": "error" },
    },
    refuse("src/**", [SQL_LAW]),
    ...FOLDER_LAWS.flatMap(lawsOf),
    {
      files: ["src/company/**"],
      rules: {
        "typescript/no-restricted-types": [
          "error",
          { types: { SqlStorage: OBJECT_SQL_LAW.message } },
        ],
      },
    },
    {
      files: [...OBJECT_SQL_FILES, OBJECT_SQL_MAKERS],
      rules: { "typescript/no-restricted-types": "off" },
    },
    refuse("src/api/**", [...RESOURCE_LAWS, SQL_LAW]),
    refuse(`src/api/**/${REPOSITORIES}`, RESOURCE_LAWS),
    { files: COMPOSITION_ROOTS, rules: { "eslint/no-restricted-imports": "off" } },
    {
      files: ["clients/vendure/**"],
      rules: {
        // Where its packages are not installed their types are unknown.
        "typescript/no-redundant-type-constituents": "off",
        "typescript/no-unnecessary-type-assertion": "off",
        // A base class's constructor is protected.
        "eslint/no-useless-constructor": "off",
      },
    },
    {
      files: ["test/**", "clients/*/test/**"],
      rules: { "typescript/no-explicit-any": "off" },
    },
  ],
});
