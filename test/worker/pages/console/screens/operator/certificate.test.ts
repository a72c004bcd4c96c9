import { beforeAll, expect, it } from "vitest";
import { makeCertificateRequest } from "../../../../../../tools/lib/certificates/request.ts";
import { Browser, type Asked } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../../support/builders/console/people.ts";
import { CertificateAuthority } from "../../../../../support/builders/providers/certificate-authority.ts";
import {
  ACCOUNT,
  givenTwoCertificates,
  NEXT,
  PRESENT,
  runTrials,
} from "../../../../../support/builders/providers/certificate-trials.ts";

let cookie: string;
let bank: CertificateAuthority;

beforeAll(async () => {
  ({ cookie } = await givenOperatorPerson("admin"));
  bank = await CertificateAuthority.create("Banco de Teste");
});

it("leads an operator from the bank's wish to a certificate that swaps itself in", async () => {
  const world = await givenTwoCertificates();
  const browser = new Browser(cookie);
  const admin = {
    ask: (path: string, options: Asked = {}) => browser.ask(path, { env: world.env, ...options }),
  };
  const path = `/console/operator/companies/${world.company.id}/providers`;
  expect((await admin.ask(path)).html).toContain(`${path}/${ACCOUNT}/certificate`);

  const wizard = `${path}/${ACCOUNT}/certificate`;
  const start = await admin.ask(`${wizard}?profile=itau`);
  expectClean(start.html);
  expect(start.html).toContain("Envie o pedido ao banco");
  expect(start.html).toContain("--profile itau --name psp-certificate-2");
  expect(start.html).toContain(`--binding ${NEXT}`);
  expect((await admin.ask(`${wizard}?profile=efi`)).html).not.toContain("certificate-request");

  const asked = await makeCertificateRequest({ commonName: "client-7" });
  const certificate = await bank.answer(asked.request, 100.5);
  const wrong = await admin.ask(wizard, {
    form: { binding: NEXT, certificate: asked.key, request: asked.request },
  });
  expect(wrong.status).toBe(400);
  expectClean(wrong.html);
  expect(wrong.html).toContain("Isto é uma chave privada");
  expect(wrong.html).toContain("BEGIN CERTIFICATE REQUEST");
  expect(wrong.html).not.toContain("BEGIN PRIVATE KEY");

  const form = { binding: NEXT, certificate, request: asked.request };
  const named = await admin.ask(wizard, { form });
  expect(named.headers.get("Location")).toBe(`${wizard}?done=named`);
  await runTrials(world);
  const tried = await admin.ask(`${wizard}?done=named`);
  expectClean(tried.html);
  expect(tried.html).toContain("1 / 3");
  expect(tried.html).toContain("O banco aceita");
  expect(tried.html).toContain(`data-refresh="${wizard}"`);

  world.handshakes[PRESENT] = "refused";
  await runTrials(world);
  const swapped = await admin.ask(wizard, { language: "en" });
  expectClean(swapped.html);
  expect(swapped.html).toContain("In use, watched for a day");

  const stopped = await admin.ask(`${wizard}/give-up`, { form: {} });
  expect(stopped.headers.get("Location")).toBe(`${wizard}?done=givenUp`);
  const again = await admin.ask(`${wizard}/give-up`, { form: {} });
  expect(again.status).toBe(404);
});

it("shows who only reads no forms, and has no page for an account that is not there", async () => {
  const world = await givenTwoCertificates();
  const reader = new Browser((await givenOperatorPerson("read")).cookie);
  const path = `/console/operator/companies/${world.company.id}/providers`;
  const seen = await reader.ask(`${path}/${ACCOUNT}/certificate`);
  expectClean(seen.html);
  expect(seen.html).toContain(PRESENT);
  expect(seen.html).not.toContain("<textarea");
  expect((await reader.ask(`${path}/other/certificate`)).status).toBe(404);
});
