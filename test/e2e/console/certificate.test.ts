import "reflect-metadata";
import { Pkcs10CertificateRequest } from "@peculiar/x509";
import { readFileSync, rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LOCAL_OPERATORS } from "../../../tools/lib/local-operators.ts";
import { ApiClient } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../../support/browser/judge.ts";
import { SignedIn } from "../../support/browser/signed-in.ts";
import { givenStateDir } from "../state-dir.ts";

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 360, height: 740 };

const stateDir = await givenStateDir("console-certificate");
const people = new SignedIn();
let service: Service;
/** The page of a live company's certificate at its PSP. */
let wizard: string;

beforeAll(async () => {
  service = await startService({ stateDir });
  const [admin] = LOCAL_OPERATORS;
  if (admin === undefined) throw new Error("there is a local operator");
  const operator = new ApiClient(service.base, admin);
  const call = (method: string, path: string, body: object) =>
    operator.call(method, `/api/v1/operator/companies${path}`, body);
  const made = await call("POST", "", { name: "Loja Real", mode: "live" });
  expect(made.status).toBe(201);
  const path = `/${made.body.data.id}/providers/pix-api`;
  const connected = await call("PUT", path, {
    baseUrl: "http://127.0.0.1:9/v2",
    tokenUrl: "http://127.0.0.1:9/oauth/token",
    clientId: "client-7",
    clientSecret: "s3cret",
    pixKey: "loja-real@example.com",
  });
  expect(connected.status).toBe(200);
  wizard = `/console/operator/companies/${made.body.data.id}/providers/first/certificate`;
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

test("the browser makes key and request, and sends neither until the request is handed in", async () => {
  const page = await people.open(
    service.base,
    { role: "operator", path: `${wizard}?profile=itau` },
    { locale: "pt-BR", viewport: NARROW, expectedStatuses: [400] },
  );
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  await page.fill("#commonName", "client-7");
  await page.fill("#city", "São José dos Pinhais");
  await page.click("#certificate-request button");
  await page.waitForSelector("#certificate-made:not([hidden])");
  for (const viewport of [NARROW, WIDE]) {
    await page.setViewportSize(viewport);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  const fileOf = async (link: string) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(link)]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
  };
  const key = await fileOf("#key-file");
  const { name, text: request } = await fileOf("#request-file");
  expect([key.name, name]).toEqual(["psp-2.key.pem", "psp-2.csr.pem"]);
  expect(key.text).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  const asked = new Pkcs10CertificateRequest(request);
  expect(await asked.verify()).toBe(true);
  expect(asked.subject).toBe("C=BR, L=São José dos Pinhais, CN=client-7");
  expect(await page.inputValue("#request")).toBe(request);

  await page.fill("#binding", "PSP_LOJA_2");
  await page.click(`form[action="${wizard}"] button[type=submit]`);
  await page.waitForSelector("#binding-error");
  expect(await page.textContent("#binding-error")).toContain("deploy");
  expect(sent.join("\n")).not.toContain("PRIVATE");
});
