import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";
import { beforeAll, expect, test } from "vitest";
import { typescriptOf, withOldTypescript } from "../../../../tools/lib/client-types.ts";
import { generatedFiles } from "../../../../tools/lib/clients/generated.ts";
import { examplesOf, quicktypeOf } from "../../../languages/quicktype.ts";

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

/** Calls of openapi-fetch: one for an object, one for a file, one for a union by type. */
const FETCH_CLIENT = `
import createClient from "openapi-fetch";
import type { paths } from "./centavo.d.ts";

export async function run(send: typeof fetch) {
  const client = createClient<paths>({ baseUrl: "https://pay.example.com", fetch: send });
  const found = await client.GET("/api/v1/transactions/{id}", { params: { path: { id: "1" } } });
  const csv = await client.GET("/api/v1/transactions", {
    headers: { Accept: "text/csv" },
    parseAs: "text",
  });
  const [event] = (await client.GET("/api/v1/events")).data?.items ?? [];
  const value = event?.type === "withdraw.paid" ? event.data?.value : undefined;
  // @ts-expect-error A transaction has no value in reais.
  if (event?.type === "transaction.paid") event.data?.value;
  return { amount: found.data?.data.amount, text: csv.data, typed: [event?.type, value] };
}
`;

/** The same calls of @hey-api/openapi-ts. */
const HEY_CLIENT = `
import { getTransaction, listEvents, searchTransactions } from "./centavo";
import { client } from "./centavo/client.gen";

export async function run(send: typeof fetch) {
  client.setConfig({ baseUrl: "https://pay.example.com", fetch: send });
  const found = await getTransaction({ path: { id: "1" } });
  const csv = await searchTransactions({ headers: { Accept: "text/csv" } });
  const [event] = (await listEvents()).data?.items ?? [];
  const value = event?.type === "withdraw.paid" ? event.data?.value : undefined;
  // @ts-expect-error A transaction has no value in reais.
  if (event?.type === "transaction.paid") event.data?.value;
  return { amount: found.data?.data.amount, text: csv.data, typed: [event?.type, value] };
}
`;

let document: any;
/** Its types by openapi-typescript, which takes seconds. */
let typescript: string;

/** Named at run time, because the Worker's code has types that this Node test does not load. */
const load = (path: string) => import(join(REPOSITORY, path));

beforeAll(async () => {
  const { createApp } = await load("src/app.ts");
  const { openApiDocument } = await load("src/http/openapi/document.ts");
  document = await openApiDocument(createApp(), "https://pay.centavo.dev");
  typescript = await typescriptOf(document);
}, START_MS);

test("Redocly's recommended rules find neither an error nor a warning", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});

test("openapi-typescript makes types that compile and refuse wrong requests", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "centavo.d.ts"), typescript);
    await writeFile(join(folder, "client.ts"), TYPESCRIPT_CLIENT);
    expect(await compilerSays(folder)).toBe("");
  }));

test("openapi-fetch calls by the types of openapi-typescript", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "centavo.d.ts"), typescript);
    await writeFile(join(folder, "client.ts"), FETCH_CLIENT);
    expect(await compilerSays(folder)).toBe("");
    expect(await answersOf(folder)).toEqual(ANSWERS);
  }));

test("@hey-api/openapi-ts makes functions that compile and call", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
    await withOldTypescript(async () => {
      const { createClient } = await import("@hey-api/openapi-ts");
      await createClient({
        input: join(folder, "openapi.json"),
        output: join(folder, "centavo"),
        plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
        logs: { level: "silent" },
      });
    });
    await writeFile(join(folder, "client.ts"), HEY_CLIENT);
    expect(await compilerSays(folder)).toBe("");
    expect(await answersOf(folder)).toEqual(ANSWERS);
  }));

/** A folder from which the packages of this tree can be imported. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const cache = join(REPOSITORY, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "clients-"));
  try {
    await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the compiler says of `client.ts`; nothing if it compiles. */
async function compilerSays(folder: string): Promise<string> {
  const types = ["--lib", "ES2022,DOM,DOM.Iterable", "--types", "", "--target", "ES2022"];
  const modules = ["--module", "ESNext", "--moduleResolution", "Bundler"];
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--allowImportingTsExtensions",
    ...types,
    ...modules,
  ];
  const compiled = await promisify(execFile)("tsc", [...options, "client.ts"], {
    cwd: folder,
    env: { ...process.env, PATH: `${REPOSITORY}/node_modules/.bin:${process.env["PATH"]}` },
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  return compiled.stdout;
}

/** What `client.ts` makes of a service that answers with the document's examples. */
async function answersOf(folder: string): Promise<unknown> {
  const outfile = join(folder, "client.js");
  const entryPoints = [join(folder, "client.ts")];
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node" });
  const { run } = (await import(pathToFileURL(outfile).href)) as {
    run: (send: typeof fetch) => Promise<unknown>;
  };
  return run(exampleOf);
}

const ANSWERS = { amount: 2_500, text: "text/csv", typed: ["withdraw.paid", 10] };

/** Answers an operation with the example of its component; in another media type with that type's name. */
async function exampleOf(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { url, headers } = new Request(input, init);
  const accept = headers.get("Accept") ?? "application/json";
  if (accept === "text/csv") return new Response(accept, { headers: { "Content-Type": accept } });
  const name = url.endsWith("/events") ? "Events" : "CurrentTransaction";
  return Response.json(document.components.examples[name].value);
}

test("the generated parts of the clients are what the document says", async () => {
  for (const [path, text] of Object.entries(await generatedFiles(document))) {
    // `npm run clients` writes it.
    const written = await readFile(join(REPOSITORY, "clients", path), "utf8");
    expect(written === text, path).toBe(true);
  }
});

test(
  "quicktype makes Python classes that read every example of the document",
  async () => {
    const python = await loadPyodide();
    const examples = examplesOf(document.components);
    python.globals.set("EXAMPLES", JSON.stringify(examples));
    python.runPython(await quicktypeOf(document.components, "python", { "python-version": "3.7" }));
    python.runPython("import json; read = centavo_from_dict(json.loads(EXAMPLES))");
    expect(Object.keys(examples).length).toBeGreaterThan(100);
    expect(python.runPython("read.transaction_envelope.data.amount")).toBe(2_500);
    expect(python.runPython("read.request_withdraw_input.pix_key")).toBe("maria@example.com");
  },
  START_MS,
);
