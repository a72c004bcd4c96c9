import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { loadPyodide } from "pyodide";
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from "quicktype-core";
import { beforeAll, expect, test } from "vitest";
import { clientTypes, typescriptOf } from "../../../../tools/lib/client-types.ts";

const REPOSITORY = join(import.meta.dirname, "../../../..");
/** Loading the Worker's code, or Python, takes many seconds on a busy machine. */
const START_MS = 120_000;

/** What a merchant's TypeScript may do with the generated types, and what it may not. */
const TYPESCRIPT_CLIENT = `
import type { components, operations } from "./centavo.d.ts";

type Request = operations["createTransaction"]["requestBody"]["content"]["application/json"];
type Answer = operations["createTransaction"]["responses"][200]["content"]["application/json"];

export const request: Request = { amount: 2500, paymentMethod: "PIX" };
// @ts-expect-error An amount is an integer of centavos.
export const inReais: Request = { amount: "25.00", paymentMethod: "PIX" };
export const paid = (answer: Answer): number | null => answer.data.paidAmount;
export const statusOf = (transaction: components["schemas"]["Transaction"]) => transaction.status;
// @ts-expect-error There is no such code.
export const code: components["schemas"]["Problem"]["code"] = "UNHEARD_OF";
`;

let document: any;

/** Named at run time, because the Worker's code has types that this Node test does not load. */
const load = (path: string) => import(join(REPOSITORY, path));

beforeAll(async () => {
  const { createApp } = await load("src/app.ts");
  const { openApiDocument } = await load("src/http/openapi/document.ts");
  document = await openApiDocument(createApp(), "https://pay.centavo.dev");
}, START_MS);

test("Redocly's recommended rules find neither an error nor a warning", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});

test("openapi-typescript makes types that compile and refuse wrong requests", async () => {
  const folder = await mkdtemp(join(tmpdir(), "centavo-types-"));
  try {
    await writeFile(join(folder, "centavo.d.ts"), await typescriptOf(document));
    await writeFile(join(folder, "client.ts"), TYPESCRIPT_CLIENT);
    const options = ["--noEmit", "--strict", "--types", "", "--allowImportingTsExtensions"];
    const compiled = await promisify(execFile)("tsc", [...options, "client.ts"], {
      cwd: folder,
      env: { ...process.env, PATH: `${REPOSITORY}/node_modules/.bin:${process.env["PATH"]}` },
    });
    expect(compiled.stdout).toBe("");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the types of the TypeScript client are what the document says", async () => {
  const file = join(REPOSITORY, "clients/typescript/src/generated/api.ts");
  // `npm run clients` writes it.
  expect((await readFile(file, "utf8")) === (await clientTypes(document))).toBe(true);
});

test(
  "quicktype makes Python classes that read every example of the document",
  async () => {
    const python = await loadPyodide();
    const { schemas, examples } = document.components;
    const named = Object.keys(examples).filter((name) => name in schemas);
    python.globals.set("EXAMPLES", JSON.stringify(valuesOf(named, examples)));
    python.runPython(await pythonOf(schemas, named));
    python.runPython("import json; read = centavo_from_dict(json.loads(EXAMPLES))");
    expect(named.length).toBeGreaterThan(100);
    expect(python.runPython("read.transaction_envelope.data.amount")).toBe(2_500);
    expect(python.runPython("read.request_withdraw_input.pix_key")).toBe("maria@example.com");
  },
  START_MS,
);

function valuesOf(names: string[], examples: Record<string, { value: unknown }>) {
  return Object.fromEntries(names.map((name) => [name, examples[name]?.value]));
}

/** Python of the named components, as members of one class, so that each is generated once. */
async function pythonOf(schemas: object, names: string[]): Promise<string> {
  const properties = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
  );
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  const all = { type: "object", properties, required: names, additionalProperties: false };
  await input.addSource({
    name: "Centavo",
    uris: ["#/all"],
    schema: JSON.stringify({ all, components: { schemas } }),
  });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: "python",
    // As the document says, not as a guess; a time stays a text, which needs no further package.
    combineClasses: false,
    inferMaps: false,
    inferEnums: false,
    inferUuids: false,
    inferDateTimes: false,
    inferIntegerStrings: false,
    inferBooleanStrings: false,
    rendererOptions: { "python-version": "3.7" },
  });
  return lines.join("\n");
}
