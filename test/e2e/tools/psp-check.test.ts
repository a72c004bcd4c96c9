import { PSP_PROFILES } from "../../../src/domain/psp/profiles/psp-profiles.ts";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPsp } from "../../../tools/lib/psp-check/check.ts";
import { parseConfig, type PspCheckConfig } from "../../../tools/lib/psp-check/config.ts";
import { PSP_POINTS } from "../../../src/domain/psp/profiles/psp-points.ts";
import { deviating, SEEDED_DEVIATIONS } from "../../support/fakes/fake-psp/deviations.ts";
import { PSP_KEY } from "../../support/fakes/fake-psp/book.ts";
import { FakePsp, PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { servePsp, type Served } from "../pix-api/server.ts";
import { givenStateDir } from "../state-dir.ts";
import { runTool } from "./run-tool.ts";

const folder = await givenStateDir("psp-check");
const WEBHOOK = "https://api.example.com/callbacks/pix-api/token";
const psp = new FakePsp();
/** Never answers. */
const silent = () => new Promise<Response>(() => undefined);
let served: Served;

beforeAll(async () => {
  served = await servePsp(psp);
});

afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A file with everything that may be tried. */
function fileOf(of: FakePsp, url: string) {
  return {
    ...PSP_CLIENT,
    baseUrl: url,
    tokenUrl: `${url}/oauth/token`,
    pixKey: PSP_KEY,
    charge: "cobv",
    payouts: { url },
    payment: { endToEndId: of.payKey("5.00"), returned: 120 },
    webhookUrl: WEBHOOK,
    payout: { amount: 100, pixKey: "maria@example.com" },
  };
}

function configOf(json: object): PspCheckConfig {
  const read = parseConfig(json, folder);
  if (!read.valid) throw new Error(JSON.stringify(read.faults));
  return read.config;
}

async function command(json: object, ...more: string[]) {
  const file = join(folder, "psp.json");
  writeFileSync(file, JSON.stringify(json));
  return runTool("psp-check.ts", ["--config", file, ...more], {});
}

describe("npm run psp-check", () => {
  it("finds nothing at a PSP that keeps the standard, over HTTP, and leaves it as it was", async () => {
    psp.book.webhooks.set(PSP_KEY, "https://api.example.com/before");

    const ended = await command(fileOf(psp, served.url), "--json", "--pay");

    expect(ended.status, ended.output).toBe(0);
    const { deviations, held, notTried } = JSON.parse(ended.stdout);
    expect([deviations, notTried.map(({ point }: { point: string }) => point)]).toEqual([
      [],
      ["tls", "mtls"],
    ]);
    expect(held.toSorted()).toEqual(
      Object.keys(PSP_POINTS)
        .filter((point) => point !== "tls" && point !== "mtls")
        .toSorted(),
    );
    expect([...psp.book.webhooks.values()]).toEqual(["https://api.example.com/before"]);
    expect([...psp.book.payoutCounts.values()]).toEqual([1]);
    const open = [...psp.book.cobs.values()].filter(({ status }) => status === "ATIVA");
    expect(open).toEqual([]);
  });

  it("prints a deviation in one line, without secrets, and ends with 1", async () => {
    const named = { ...PSP_CLIENT, clientSecret: "a secret of another" };
    const ended = await command({ ...fileOf(psp, served.url), ...named, payment: null });

    expect(ended.status).toBe(1);
    expect(ended.stdout).toContain("token: The token endpoint answers 200");
    expect(ended.stdout).toMatch(/^token: .* Request: POST http:\S+ .* Answer: 401 \{.*\}$/m);
    expect(ended.output).not.toContain("a secret of another");
  });

  it.each([
    [{ pixKey: "no key", clientId: "" }, ["clientId:", "pixKey:", "clientSecret:"]],
    [{ baseUrl: "http://pix.example.com/v2" }, ["baseUrl: must be https"]],
    [{ adress: "x" }, ["adress: is no field"]],
    [{ profile: "nubank" }, ["profile:"]],
    [{ certificate: "cert.pem" }, ["certificate.cert:", "certificate.key:"]],
  ])("names the fields of a wrong file and ends with 2: %j", async (wrong, named) => {
    const whole = fileOf(psp, served.url);
    const { clientSecret: _secret, ...less } = whole;
    const ended = await command({ ...("pixKey" in wrong ? less : whole), ...wrong });

    expect([ended.status, ended.stdout]).toEqual([2, ""]);
    for (const field of named) expect(ended.stderr).toContain(field);
  });
});

describe("a check", () => {
  it.each(Object.entries(SEEDED_DEVIATIONS))("finds exactly this: %s", async (_name, seeded) => {
    const bank = new FakePsp();
    const { answer } = deviating(bank, seeded);
    const config = configOf(fileOf(bank, "https://127.0.0.1:9"));
    const certificate = { cert: "a certificate", key: "its key" };

    const { deviations } = await checkPsp({ ...config, certificate }, answer);

    expect(deviations.map(({ point }) => point)).toEqual([seeded.point]);
    expect(JSON.stringify(deviations)).not.toContain(PSP_CLIENT.clientSecret);
    expect(deviations[0]?.request).not.toBe("");
  });

  it("has a deviation for each point", () => {
    const points = Object.values(SEEDED_DEVIATIONS).map(({ point }) => point);
    expect([...new Set(points)].toSorted()).toEqual(Object.keys(PSP_POINTS).toSorted());
  });

  it("says that a PSP is silent, once", async () => {
    const config = configOf(fileOf(psp, "http://127.0.0.1:9"));

    const { deviations, calls } = await checkPsp(config, silent, { timeoutMs: 20 });

    expect(deviations).toMatchObject([{ point: "token", answer: "none" }]);
    expect(calls).toBe(1);
  });

  it("takes the addresses of a profile's test, and says what is known of a point", async () => {
    const { baseUrl: _base, tokenUrl: _token, ...rest } = fileOf(psp, served.url);
    const baseUrl = "https://api-pix.hm.bb.com.br/pix/v2?gw-dev-app-key=k";
    const file = { ...rest, payouts: null, payment: null };
    const config = configOf({ ...file, profile: "bb", baseUrl });
    const tokenUrl = "https://oauth.hm.bb.com.br/oauth/token";
    expect(config.api).toMatchObject({ baseUrl, tokenUrl });
    const { test } = PSP_PROFILES.bradesco;
    expect(configOf({ ...file, profile: "bradesco" }).api).toMatchObject({ ...test?.value });
    const here = { ...config.api, baseUrl: served.url, tokenUrl: `${served.url}/oauth/token` };
    const { answer } = deviating(psp, SEEDED_DEVIATIONS["a new charge is 200"]);

    const { deviations } = await checkPsp({ ...config, api: here }, answer);

    expect(deviations[0]?.known).toContain("answers 200, not 201");
  });

  it("asks for the parameter that a profile sends with every call", () => {
    const file = { ...fileOf(new FakePsp(), "http://127.0.0.1:9"), profile: "bb" };
    const fault = "needs the query parameter gw-dev-app-key";
    expect(parseConfig(file, folder)).toMatchObject({ faults: [{ field: "baseUrl", fault }] });
    const named = { ...file, baseUrl: `${file.baseUrl}?gw-dev-app-key=k` };
    expect(parseConfig(named, folder).valid).toBe(true);
  });

  it("speaks to a PSP as its profile says: the id in the body, and a header of its own", async () => {
    const bank = new FakePsp();
    bank.tokenClient = "certificate";
    bank.header = "client_id";
    const file = { ...fileOf(bank, "http://127.0.0.1:9"), profile: "sicoob" };
    expect(parseConfig(file, folder)).toMatchObject({
      faults: [{ field: "headers.client_id", fault: "is required" }],
    });
    const config = configOf({ ...file, headers: { client_id: PSP_CLIENT.clientId } });

    const report = await checkPsp({ ...config, payout: null }, bank.fetch);

    expect(report.deviations).toEqual([]);
    expect(report.notTried.map(({ point }) => point)).toContain("token_wrong_secret");
  });
});
