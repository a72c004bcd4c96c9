import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bundleStart, type Part, type StartBundle } from "../../../tools/lib/start-bundle.ts";
import { aliases } from "../../../tools/lib/wrangler-config.ts";

/** The platform's limit of a Worker on its free plan, gzip. */
const WORKER_MAX_KB = 3_072;
/** Bundling takes two seconds, and longer beside a full machine's other work. */
const BUNDLE_MS = 60_000;
const REPOSITORY = join(import.meta.dirname, "../../..");

let bundle: StartBundle;

beforeAll(async () => {
  bundle = await bundleStart();
}, BUNDLE_MS);

/** The modules that remain after tree shaking. */
function modulesOf({ outputs }: Part): string[] {
  return outputs
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
}

test("the Worker is within the platform's limit", () => {
  const kilobytes = bundle.evaluatedAtStart.kilobytes + bundle.onDemand.kilobytes;
  expect(kilobytes).toBeLessThanOrEqual(WORKER_MAX_KB);
});

test.each([
  ["the PDF library", "node_modules/@cantoo/pdf-lib/"],
  ["the workbook library", "node_modules/write-excel-file/"],
  ["the ZIP library", "node_modules/fflate/"],
  ["barcodes", "node_modules/jsbarcode/"],
  ["QR codes", "node_modules/uqr/"],
  ["the examples of the document", "node_modules/openapi-sampler/"],
  ["the drawing of a boleto's slip", "src/methods/boleto/slip/html.ts"],
  ["the console", "src/pages/console/app.tsx"],
  ["better-auth", "node_modules/better-auth/"],
])("%s load only when a page needs them", (_, path) => {
  const isPart = (module: string) => module.startsWith(path);
  expect(modulesOf(bundle.evaluatedAtStart).filter(isPart)).toEqual([]);
  expect(modulesOf(bundle.onDemand).filter(isPart)).not.toEqual([]);
});

test("the Worker bundles only the English locale of zod, in every environment", async () => {
  const modules = [...modulesOf(bundle.evaluatedAtStart), ...modulesOf(bundle.onDemand)];
  const locales = modules.filter((path) => path.includes("zod/v4/locales/"));
  expect(locales).toEqual(["node_modules/zod/v4/locales/en.js"]);
  // Wrangler reads aliases from the top level only.
  expect(aliases()).toEqual({ "../locales/index.js": "zod/v4/locales/en.js" });
});

test("this build is minified like the deployed one", async () => {
  const config = await readFile(join(REPOSITORY, "wrangler.toml"), "utf8");
  expect(config).toMatch(/^minify = true$/m);
  expect(config).toMatch(/^keep_names = false$/m);
});
