import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCAL_APPROVER, LOCAL_COMPANIES } from "../../../tools/lib/local-companies.ts";
import { packClient } from "../../../tools/lib/pack-client.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { ROOT } from "../../../tools/lib/wrangler.ts";
import { givenStateDir } from "../state-dir.ts";

const BUNDLE_MAX_BYTES = 12 * 1024;
const [{ clientId, apiKey }] = LOCAL_COMPANIES as [(typeof LOCAL_COMPANIES)[number]];
const run = promisify(execFile);

const TWELVE_CALLS = `
import { brl, Centavo, webhooks } from "centavo";
export async function twelve(options, body, headers, secret) {
  const centavo = new Centavo(options);
  const charge = await centavo.transactions.create({ amount: brl("25,00"), paymentMethod: "PIX" });
  await centavo.transactions.get(charge.id);
  await centavo.transactions.search();
  await centavo.transactions.refund(charge.id);
  await centavo.transactions.timeline(charge.id);
  await centavo.transactions.qr(charge.id);
  await centavo.withdraws.dryRun({ amount: 1000 });
  await centavo.withdraws.request({ amount: 1000 });
  await centavo.balance();
  for await (const event of centavo.events.iterate()) console.log(event);
  await centavo.reports.daily();
  return webhooks.verify(body, headers, secret);
}`;

const WORKER = `
import { Centavo } from "centavo";
export default {
  async fetch(request, options) {
    const centavo = new Centavo(options);
    const made = await centavo.transactions.create({ amount: 2500, paymentMethod: "PIX" });
    return Response.json({ status: made.status, name: (await centavo.me()).company.name });
  },
};`;

/** A project of nobody, with the packed client alone. */
const project = mkdtempSync(join(tmpdir(), "centavo-project-"));
const stateDir = await givenStateDir("client");
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
  writeFileSync(join(project, "package.json"), '{ "name": "shop", "type": "module" }');
  const archive = await packClient(project);
  await run("npm", ["install", "--offline", "--no-audit", archive], { cwd: project });
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
});

/** A program of the project in one file, as a bundler makes it for a Worker or a browser. */
async function bundled(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: project },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}

test("the package brings nothing else, and has its types, README and licence", () => {
  const manifest = readFileSync(join(project, "node_modules/centavo/package.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({ name: "centavo", license: "MIT" });
  expect(manifest).not.toMatch(/dependencies/i);
  const lock = readFileSync(join(project, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lock) as { packages: object };
  expect(Object.keys(packages)).toEqual(["", "node_modules/centavo"]);
  for (const file of ["README.md", "LICENSE", "dist/index.d.ts", "dist/index.js"]) {
    expect(readFileSync(join(project, "node_modules/centavo", file)).byteLength).toBeGreaterThan(
      99,
    );
  }
});

test("a shop in TypeScript compiles with it, and charges, refunds, withdraws and reconciles", async () => {
  cpSync(join(import.meta.dirname, "shop.ts"), join(project, "shop.ts"));
  const options = ["--strict", "--noEmit", "--target", "ES2022", "--lib", "ES2022,DOM"];
  const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const said = await run(tsc, [...options, ...types, "--module", "NodeNext", "shop.ts"], {
    cwd: project,
  }).catch((error: { stdout: string }) => error);
  expect(said.stdout).toBe("");

  const { stdout } = await run(process.execPath, ["shop.ts"], {
    cwd: project,
    env: {
      ...process.env,
      CENTAVO_URL: service.base,
      CENTAVO_CLIENT_ID: clientId,
      CENTAVO_API_KEY: apiKey,
      APPROVER_CLIENT_ID: LOCAL_APPROVER.clientId,
      APPROVER_API_KEY: LOCAL_APPROVER.apiKey,
    },
  });
  const { events, ...shown } = JSON.parse(stdout) as { events: number[] };
  expect(events).toEqual(events.map((_number, index) => index + 1));
  expect(shown).toEqual({
    company: "Loja Exemplo",
    qr: "<svg",
    png: "PNG",
    cancelled: "CANCELLED",
    refundedAmount: 2_000,
    refusal: 8_000,
    uncaptured: "INVALID_STATE",
    ignored: ["zigzag"],
    paid: ["PAID", 10_000],
    found: [true],
    timeline: true,
    receipt: true,
    pdf: "%PDF-",
    withdraws: { accepted: true, needsApproval: "pending", approvals: ["approved", "refused"] },
    available: true,
    gross: [10_000],
    reconciled: ["matched"],
    link: "active",
    code: 1_000,
    disputes: [],
    secrets: ["whsec_", "whsec_"],
    endpoints: [],
    payment: "pedido-1",
    first: true,
  });
});

test("the example does its nine steps", async () => {
  cpSync(join(ROOT, "examples/node/shop.mjs"), join(project, "shop.mjs"));
  const { stdout } = await run(process.execPath, ["shop.mjs"], {
    cwd: project,
    env: { ...process.env, CENTAVO_URL: service.base },
  });
  expect(stdout.split("\n")).toEqual([
    "pix        R$ 1.000,00 WAITING_PAYMENT",
    expect.stringMatching(/^000201/),
    "qr         qr.svg",
    expect.stringMatching(/^boleto {5}\d{47}$/),
    "card       PAID",
    "webhook    verified",
    "retry      1 charge",
    "refund     10000 centavos, PAID",
    "reconcile  matched, missing",
    "withdraw   approved",
    expect.stringMatching(/^link {7}http.+\/l\/\w+$/),
    "",
  ]);
});

test("twelve calls take at most 12 KB of a bundle", async () => {
  expect(gzipSync(await bundled(TWELVE_CALLS)).byteLength).toBeLessThan(BUNDLE_MAX_BYTES);
});

test("it runs in a Worker", async () => {
  const options = convertV4MiniflareOptions({
    modules: true,
    script: await bundled(WORKER),
    compatibilityDate: "2026-01-01",
    bindings: { baseUrl: service.base, clientId, apiKey },
  });
  const worker = new Miniflare(options);
  try {
    const answer = await worker.dispatchFetch("http://localhost/");
    expect(await answer.json()).toEqual({ status: "WAITING_PAYMENT", name: "Loja Exemplo" });
  } finally {
    await worker.dispose();
  }
});
