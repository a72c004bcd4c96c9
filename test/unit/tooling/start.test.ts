import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { bundleStart, type Part, type StartBundle } from "../../../tools/lib/start-bundle.ts";
import { aliases } from "../../../tools/lib/wrangler-config.ts";

/**
 * The most code that the Worker may evaluate before its first response (decision 0025). The platform
 * allows six times as much.
 */
const START_MAX_KB = 450;
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

test(`a cold start evaluates at most ${START_MAX_KB} KB of gzip`, () => {
  const { kilobytes } = bundle.evaluatedAtStart;
  expect(kilobytes).toBeLessThanOrEqual(START_MAX_KB);
  expect(kilobytes).toBeGreaterThan(START_MAX_KB / 2);
});

test.each([
  ["the PDF library", "node_modules/@cantoo/pdf-lib/"],
  ["barcodes", "node_modules/jsbarcode/"],
  ["QR codes", "node_modules/uqr/"],
  ["the drawing of a boleto's slip", "src/methods/boleto/slip/html.ts"],
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
