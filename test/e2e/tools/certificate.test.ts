import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { environmentConfig } from "../../../tools/lib/deploy/environment.ts";
import { judgeCertificate } from "../../../tools/lib/certificates/verdict.ts";
import { ROOT } from "../../../tools/lib/root.ts";
import { PSP_KEY } from "../../support/fakes/fake-psp/book.ts";
import { FakePsp, PSP_CLIENT } from "../../support/fakes/fake-psp/psp.ts";
import { FakePlatform } from "../../support/fakes/platform.ts";
import { servePsp, type Served } from "../pix-api/server.ts";
import { givenStateDir } from "../state-dir.ts";
import { CertificateAuthority } from "../../support/builders/providers/certificate-authority.ts";
import { runTool } from "./run-tool.ts";

const NAME = "Client_Id_7f3c";
const folder = await givenStateDir("certificate");
const platform = new FakePlatform();
const served: Served[] = [];
let bank: CertificateAuthority;
let environment: Record<string, string>;
let key: string;
let request: string;

const file = (name: string) => join(folder, name);
const write = (name: string, text: string) => {
  writeFileSync(file(name), text);
  return file(name);
};
const certificate = (...args: string[]) => runTool("certificate.ts", args, environment);
const names = ["--name", "psp-loja", "--common-name", NAME];

/** A file of a check with the certificate. */
const connection = (url: string) => ({
  ...PSP_CLIENT,
  baseUrl: url,
  tokenUrl: `${url}/oauth/token`,
  pixKey: PSP_KEY,
  certificate: { cert: "cert.pem", key: "psp-loja.key.pem" },
});

beforeAll(async () => {
  bank = await CertificateAuthority.create("Banco de Teste");
  environment = {
    INIT_CWD: folder,
    CLOUDFLARE_API_BASE_URL: await platform.start(),
    CLOUDFLARE_API_TOKEN: "t",
    WRANGLER_CONFIG: write("wrangler.toml", readFileSync(join(ROOT, "wrangler.toml"), "utf8")),
    NODE_EXTRA_CA_CERTS: write("bank.pem", bank.cert),
  };
  const made = await certificate("request", ...names, "--profile", "itau", "--city", "São Paulo");
  expect(made.status, made.output).toBe(0);
  expect(made.stdout).toContain("Itaú: send the bank the certificate request");
  key = readFileSync(file("psp-loja.key.pem"), "utf8");
  request = readFileSync(file("psp-loja.csr.pem"), "utf8");
  write("cert.pem", await bank.answer(request));
});

afterAll(async () => {
  for (const each of served) await each.close();
  platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("keeps the key for its owner, and writes over none", async () => {
  expect(statSync(file("psp-loja.key.pem")).mode & 0o777).toBe(0o600);

  const again = await certificate("request", ...names);

  expect(again.status).toBe(2);
  expect(readFileSync(file("psp-loja.key.pem"), "utf8")).toBe(key);
});

it("finds nothing wrong with the bank's answer to the request", async () => {
  const cert = await bank.answer(request);

  const verdict = judgeCertificate({ cert, key, ca: bank.cert, name: NAME }, Date.now());

  expect(verdict).toMatchObject({ faults: [], daysLeft: 364 });
  expect(verdict.subject).toContain("L=São Paulo");
});

it("says why a certificate cannot be used", async () => {
  const cert = await bank.answer(request);
  const other = await CertificateAuthority.create("Outro Banco");
  const another = await bank.forLoopback();
  const now = Date.now();
  const faultsOf = (changed: object, at = now) =>
    judgeCertificate({ cert, key, ca: bank.cert, name: null, ...changed }, at).faults.join();

  expect(faultsOf({ key: another.key })).toContain("The key is not");
  expect(faultsOf({ key: "no key" })).toContain("The key is not");
  expect(faultsOf({ name: "11222333000181" })).toContain("does not name 11222333000181");
  expect(faultsOf({ ca: other.cert })).toContain("None of the given authorities");
  expect(faultsOf({ cert: cert + other.cert, ca: null })).toContain("do not follow");
  expect(faultsOf({ cert: bank.cert })).toContain("an authority's");
  expect(faultsOf({ cert: await bank.answer(request, -1) })).toContain("It ended at");
  expect(faultsOf({}, now - 10 * 86_400_000)).toContain("valid only from");
  expect(faultsOf({ cert: "no certificate" })).toContain("no certificate");
});

it("uploads certificate and key, and binds them beside what the configuration has", async () => {
  const args = ["--cert", "cert.pem", "--key", "psp-loja.key.pem", "--env", "sandbox"];
  const first = await certificate("upload", ...args, "--binding", "PSP_LOJA");
  const second = await certificate("upload", ...args, "--binding", "PSP_LOJA_2");
  const again = await certificate("upload", ...args, "--binding", "PSP_LOJA_2");

  expect([first.status, second.status, again.status], again.output).toEqual([0, 0, 0]);
  const [id, , newest] = [...platform.certificates.keys()];
  const { mtls_certificates: bound, vars } = environmentConfig(
    "sandbox",
    file("wrangler.toml"),
  ) as unknown as { mtls_certificates: object[]; vars: object };
  expect(bound).toEqual([
    { binding: "PSP_LOJA", certificate_id: id },
    { binding: "PSP_LOJA_2", certificate_id: newest },
  ]);
  expect(vars).toEqual(environmentConfig("sandbox", join(ROOT, "wrangler.toml")).vars);
  expect([...platform.certificates.values()][0]?.private_key).toBe(key);
  const [, secret = ""] = key.split("\n");
  expect(first.output + second.output + again.output).not.toContain(secret);
});

it("uploads no certificate of another key", async () => {
  write("other.key.pem", (await bank.forLoopback()).key);
  const before = platform.certificates.size;

  const files = ["--cert", "cert.pem", "--key", "other.key.pem"];
  const ended = await certificate("upload", ...files, "--binding", "PSP_LOJA");

  expect([ended.status, platform.certificates.size]).toEqual([1, before]);
});

it("tries it at a PSP that demands it, and tells of one that does not", async () => {
  const server = await bank.forLoopback();
  const strict = { ...server, ca: bank.cert, requestCert: true };
  const psp = new FakePsp();
  const careful = await servePsp(psp, { tls: { ...strict, rejectUnauthorized: true } });
  const careless = await servePsp(psp, { tls: { ...strict, rejectUnauthorized: false } });
  served.push(careful, careless);
  write("careful.json", JSON.stringify(connection(careful.url)));
  write("careless.json", JSON.stringify(connection(careless.url)));

  const tried = await certificate("try", "--config", "careful.json");
  const open = await certificate("try", "--config", "careless.json");

  expect([tried.status, tried.stdout], tried.output).toEqual([
    0,
    "The PSP gave a token and answered a read.\n",
  ]);
  expect([open.status, open.stderr]).toEqual([1, expect.stringMatching(/^mtls: /)]);
});

it("names the next certificate to the service by its public part, and says how its trials go", async () => {
  const asked: { method: string; path: string; body: string }[] = [];
  const trial = { binding: "PSP_LOJA_2", state: "trying", successes: 1, successesNeeded: 3 };
  const last = { result: "works", beside: "no_answer", nextTryAt: "2026-11-30T12:00:00.000Z" };
  const shown = {
    account: "first",
    certificateDaysLeft: 12,
    settings: { certificate: "PSP_LOJA" },
    nextCertificate: { ...trial, ...last },
  };
  const answerTo = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const { method = "", url: path = "" } = incoming;
    asked.push({ method, path, body: await textOf(incoming) });
    answer.setHeader("Content-Type", "application/json");
    answer.end(JSON.stringify({ data: method === "GET" ? [shown] : shown }));
  };
  const service = createServer((incoming, answer) => void answerTo(incoming, answer));
  await once(service.listen(0, "127.0.0.1"), "listening");
  const { port } = service.address() as AddressInfo;
  const about = ["--company", "7", "--account", "first", "--url", `http://127.0.0.1:${port}`];

  const files = ["--cert", "cert.pem", "--request", "psp-loja.csr.pem"];
  const named = await certificate("next", ...about, "--binding", "PSP_LOJA_2", ...files);
  const seen = await certificate("trials", ...about);
  const unknown = await certificate("trials", ...about, "--account", "other");
  service.close();

  expect([named.status, seen.status, unknown.status], named.output).toEqual([0, 0, 2]);
  const path = "/api/v1/operator/companies/7/providers";
  expect(asked.map((each) => `${each.method} ${each.path}`)).toEqual([
    `PUT ${path}/first/certificate`,
    `GET ${path}`,
    `GET ${path}`,
  ]);
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
    binding: "PSP_LOJA_2",
    certificate: readFileSync(file("cert.pem"), "utf8"),
    request,
  });
  expect(named.stdout).toBe(seen.stdout);
  expect(seen.stdout).toContain("In use: PSP_LOJA, 12 days left.");
  expect(seen.stdout).toContain("PSP_LOJA_2: trying, 1 of 3 trials in a row; last: works");
});
