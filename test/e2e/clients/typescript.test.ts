import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

/** Runs the packed `centavo` to its end, with its configuration in the project. */
async function centavo(args: string[], { input = "" } = {}) {
  const { PATH = "" } = process.env;
  const running = run(join(project, "node_modules/.bin/centavo"), args, {
    cwd: project,
    env: { PATH, XDG_CONFIG_HOME: join(project, "config"), CENTAVO_URL: service.base },
  });
  running.child.stdin?.end(input);
  return running.then(
    (said) => ({ code: 0, ...said }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  );
}

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
  // For TypeScript's `commonjs`, as Nest has it, which reads no `exports`.
  const forCommonJs = { main: "./dist/index.js", types: "./dist/index.d.ts" };
  expect(JSON.parse(manifest)).toMatchObject({ name: "centavo", license: "MIT", ...forCommonJs });
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

test("a program in CommonJS requires it", async () => {
  const program = 'console.log(require("centavo").brl("25,00"))';
  const type = "--input-type=commonjs";
  const { stdout } = await run(process.execPath, [type, "-e", program], { cwd: project });
  expect(stdout).toBe("2500\n");
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
    csv: 2,
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

describe("the packed command line", () => {
  test("signs in, charges, plays the payer, tells what happened, and forgets the key", async () => {
    const login = ["login", "--url", service.base, "--client-id", clientId];
    const signedIn = await centavo(login, { input: `${apiKey}\n` });
    expect(signedIn.stdout).toContain("Loja Exemplo (sandbox)");
    const file = join(project, "config/centavo/credentials.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ url: service.base, clientId, apiKey });

    const order = ["--amount", "1.234,50", "--ref", "pedido-cli"];
    const made = await centavo(["charges", "create", ...order, "--qr"]);
    expect(made.stdout).toMatch(/^amount +R\$\s1\.234,50$/m);
    expect(made.stdout.match(/^██.*██$/gm)?.length).toBeGreaterThan(20);
    const found = await centavo(["charges", "list", "--ref", "pedido-cli", "--json"]);
    const [{ providerTxId: id }] = JSON.parse(found.stdout).items;

    const paid = await centavo(["charges", "pay", id, "--json"]);
    expect(JSON.parse(paid.stdout)).toMatchObject({ id, status: "PAID", paidAmount: 123_450 });
    const refunded = await centavo(["charges", "refund", id, "--amount", "4,50"]);
    expect(refunded.stdout).toMatch(/^refunded +R\$\s4,50$/m);
    const told = await centavo(["inspect", id]);
    expect(told.stdout).toMatch(/Awaiting payment → Paid\n(?:.*\n)*.*Refund: Done {2}R\$\s4,50\n/);
    const events = await centavo(["events", "tail", "--once", "--from", "start", "--json"]);
    const types = events.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(types.filter(({ data }) => data?.id === id).map(({ type }) => type)).toEqual([
      "transaction.paid",
      "transaction.partially_refunded",
    ]);
    const caused = await centavo(["trigger", "transaction.paid"]);
    expect(caused.stdout).toMatch(/^event +evt_1_\d+ {2}transaction\.paid$/m);

    await centavo(["logout"]);
    expect(existsSync(file)).toBe(false);
    const said = [signedIn, made, found, paid, refunded, told, events, caused];
    expect(said.map(({ stderr }) => stderr).join("")).toBe("");
    expect(said.map(({ stdout }) => stdout).join("")).not.toContain(apiKey);
  });

  test("refuses a key that the service does not know, and stores nothing", async () => {
    const login = ["login", "--url", service.base, "--client-id", clientId];
    const { code, stderr } = await centavo(login, { input: "sk_test_of_nobody" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${service.base} refuses the credentials: check CENTAVO_CLIENT_ID and CENTAVO_API_KEY, or run centavo login.\n`,
    });
    expect(existsSync(join(project, "config/centavo/credentials.json"))).toBe(false);
  });

  test("brings the licences of what it contains", () => {
    const dist = join(project, "node_modules/centavo/dist");
    expect(readFileSync(join(dist, "cli-licenses.txt"), "utf8")).toContain("uqr\n\nMIT License");
  });
});

test("twelve calls take at most 12 KB of a bundle", async () => {
  expect(gzipSync(await bundled(TWELVE_CALLS)).byteLength).toBeLessThan(BUNDLE_MAX_BYTES);
});

test("its browser part takes at most 1 KB, and sees that a charge is paid", async () => {
  const code = await bundled(`export { watchCharge } from "centavo/checkout";`);
  expect(gzipSync(code).byteLength).toBeLessThan(1_024);
  const made = await centavo(["charges", "create", "--amount", "9,90", "--json"]);
  const { id } = JSON.parse(made.stdout);
  await centavo(["charges", "pay", id]);
  const { watchCharge } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const seen: string[] = [];
  for await (const { status } of watchCharge({ baseUrl: service.base, id })) seen.push(status);
  expect(seen).toEqual(["PAID"]);
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
