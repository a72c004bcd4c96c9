import { expect, it } from "vitest";
import { givenTransaction, pay } from "../../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
} from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit, type Visit } from "../../../../../support/builders/console/visit.ts";
import type { TestCompany } from "../../../../../support/builders/companies/env.ts";
import {
  disputePath,
  givenDisputed,
  submitEvidence,
} from "../../../../../support/builders/operations/dispute.ts";
import {
  dispute,
  givenSettled,
} from "../../../../../support/builders/operations/object-operations.ts";
import { simulate } from "../../../../../support/builders/operations/refund.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const pageOf = (id: string) => `/console/disputes/${encodeURIComponent(id)}`;
const MED = { reason: "MED_FRAUD" };

const evidenceOf = async (company: TestCompany, id: string) =>
  (await call(disputePath(id), { company })).body.data.evidence;

const send = (
  company: TestCompany,
  id: string,
  form: Record<string, string>,
  options: Visit = {},
) => visit(company, `${pageOf(id)}/evidence`, { ...options, form });

it("the list shows a dispute under its state, with its deadline in words and what is held", async () => {
  const company = await givenCompany();
  const { transactionId } = await givenDisputed(company, MED);
  const open = await visit(company, "/console/disputes");
  expect(open.status).toBe(200);
  expect(open.html).toContain("Suspeita de fraude (MED)");
  expect(open.html).toMatch(/faltam [67] dias/);
  expect(open.html).toMatch(/R\$\s25,00/);
  expect(open.html).not.toMatch(/undefined|NaN|>null</);
  await call(`/api/v1/sandbox/transactions/${transactionId}/dispute/resolve`, {
    method: "POST",
    company,
    body: { outcome: "won" },
  });
  const won = await visit(company, "/console/disputes?status=won", { language: "en" });
  expect(won.html).toContain("Suspected fraud (MED)");
  const none = await visit(company, "/console/disputes");
  expect(none.html).toContain("Nenhuma contestação aberta");
});

it("evidence is sent with the proof's fields, and the page says so", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  const form = {
    idempotencyKey: "evidence_1",
    text: "<script>alert(1)</script>",
    links: "https://loja.example.com/1\r\nhttps://loja.example.com/2",
    carrier: "Correios",
    trackingCode: "",
  };
  const { status, headers } = await send(company, id, form);
  expect([status, headers.get("Location")]).toEqual([303, `${pageOf(id)}?done=evidence`]);
  const evidence = await evidenceOf(company, id);
  expect(evidence.links).toEqual(["https://loja.example.com/1", "https://loja.example.com/2"]);
  expect(evidence.delivery).toEqual({ carrier: "Correios" });
  const again = await send(company, id, form);
  expect(again.status).toBe(303);
  expect((await evidenceOf(company, id)).submittedAt).toBe(evidence.submittedAt);
  const { html } = await visit(company, `${pageOf(id)}?done=evidence`);
  expect(html).toContain("Provas enviadas");
  expect(html).not.toContain("<script>alert");
});

it("a person who sees masks does not send them back as evidence", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  await submitEvidence(company, id, { text: "Maria got it.", delivery: { signedBy: "Maria" } });
  const { html } = await visit(company, pageOf(id), { role: "support" });
  expect(html).not.toContain("Maria");
  expect(html).toMatch(/<textarea id="text"[^>]*><\/textarea>/);
  await send(company, id, { text: "", links: "https://loja.example.com/1" }, { role: "support" });
  expect(await evidenceOf(company, id)).toMatchObject({
    text: "Maria got it.",
    links: ["https://loja.example.com/1"],
    delivery: { signedBy: "Maria" },
  });
  await send(company, id, { text: "Maria got it.", links: "", carrier: "Correios" });
  expect((await evidenceOf(company, id)).delivery).toEqual({
    signedBy: "Maria",
    carrier: "Correios",
  });
});

it("a refused link keeps what was typed", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  const { status, html } = await send(company, id, {
    text: "Kept words",
    links: "ftp://example.com",
  });
  expect(status).toBe(400);
  expect(html).toContain("Kept words");
  expect(html).toContain("Nada foi feito");
  expect(await evidenceOf(company, id)).toBeNull();
});

it("viewers read a dispute but are refused evidence", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  const { status, html } = await visit(company, pageOf(id), { role: "viewer" });
  expect(status).toBe(200);
  expect(html).not.toContain("Enviar provas");
  expect((await send(company, id, { text: "x" }, { role: "viewer" })).status).toBe(403);
  expect((await visit(company, pageOf("nothing"))).status).toBe(404);
});

it("the dossier is downloaded as PDF and as JSON", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  const json = await visit(company, `${pageOf(id)}/dossier.json`);
  expect(json.headers.get("Content-Disposition")).toContain("dossie.json");
  expect(JSON.parse(json.html)).toHaveProperty("signature");
  const pdf = await visit(company, `${pageOf(id)}/dossier.pdf`);
  expect(pdf.headers.get("Content-Type")).toBe("application/pdf");
  expect(pdf.html.slice(0, 5)).toBe("%PDF-");
});

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 9]);

function formWith(content?: Uint8Array<ArrayBuffer>, name = "foto.png") {
  const body = new FormData();
  if (content !== undefined) body.set("file", new File([content], name, { type: "text/plain" }));
  return body;
}

it("the page shows what the bank asks, how long is left, the payer, the order and what happened", async () => {
  const company = await givenCompany();
  const customer = { name: "Maria Compradora", document: { number: "52998224725" } };
  const made = { amount: 2_500, customer, externalRef: "Pedido 77" };
  const { id: payment } = await givenTransaction(company, made);
  await pay(company, payment);
  const { body } = await simulate(company, payment, "dispute", MED);
  const { id } = body.data.dispute;
  for (const language of ["pt-BR", "en"] as const) {
    const { html } = await visit(company, pageOf(id), { language });
    expectClean(html);
    expect(html).toContain("Maria Compradora");
    expect(html).not.toContain("52998224725");
    expect(html).toContain("Pedido 77");
    expect(html).toContain(`href="/console/payments/${payment}"`);
    expect(html).toContain('class="story"');
  }
  const { html } = await visit(company, pageOf(id));
  expect(html).toMatch(/O banco do pagador pede R\$\s25,00 de volta\./);
  expect(html).toMatch(/faltam [67] dias/);
  expect(html).toContain("O pagador diz que foi enganado");
});

it("a file is sent, downloaded as an attachment and taken out again", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  const sent = await visit(company, `${pageOf(id)}/files`, { body: formWith(PNG) });
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, `${pageOf(id)}?done=file`]);
  await waitUntilDrained(company);
  const [file] = (await evidenceOf(company, id)).files;
  const shown = await visit(company, `${pageOf(id)}?done=file`);
  expectClean(shown.html);
  expect(shown.html).toContain("Arquivo enviado");
  const path = `${pageOf(id)}/files/${file.id}`;
  expect(shown.html).toContain(`href="${path}"`);
  const { headers } = await visit(company, path);
  expect(headers.get("Content-Type")).toBe("image/png");
  expect(headers.get("Content-Disposition")).toMatch(/^attachment;/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  const viewer = await visit(company, pageOf(id), { role: "viewer" });
  expect(viewer.html).not.toMatch(/foto\.png|type="file"/);
  const removed = await visit(company, `${path}/remove`, { form: {} });
  expect(removed.headers.get("Location")).toBe(`${pageOf(id)}?done=fileRemoved`);
  await waitUntilDrained(company);
  expect((await evidenceOf(company, id)).files).toEqual([]);
  expect((await visit(company, path)).status).toBe(404);
});

it("no file and a file of another kind are refused in words; a service without a bucket asks for links", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  const none = await visit(company, `${pageOf(id)}/files`, { body: formWith() });
  expect(none.status).toBe(400);
  expect(none.html).toContain("Escolha um arquivo.");
  const body = formWith(new Uint8Array(new TextEncoder().encode("<html>")), "nota.pdf");
  const page = await visit(company, `${pageOf(id)}/files`, { body });
  expect(page.status).toBe(415);
  expect(page.html).toContain("Nada foi feito");
  const { ARCHIVE: _bucket, ...unbound } = env;
  const without = await visit(company, pageOf(id), { env: unbound });
  expect(without.html).toContain("Este serviço não guarda arquivos");
  expect(without.html).not.toContain('type="file"');
});

it("the dossier is sent to the bank from the page, which shows what the bank says", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, MED);
  const before = await visit(company, pageOf(id));
  expect(before.html).toContain("Nada foi enviado ao banco por aqui.");

  const form = { idempotencyKey: "response_1" };
  const sent = await visit(company, `${pageOf(id)}/response`, { form });

  expect([sent.status, sent.headers.get("Location")]).toEqual([303, `${pageOf(id)}?done=response`]);
  const after = await visit(company, `${pageOf(id)}?done=response`, { language: "en" });
  expect(after.html).toContain("The dossier is on its way to the bank.");
  expect(after.html).toContain("Received");
  expectClean(after.html);
});

it("offers no refund in the place of a card's chargeback, which takes the money itself", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 2_500);
  const id = `dispute of ${transaction.id}`;
  await dispute(company, transaction, { kind: "CHARGEBACK" });
  await waitUntilDrained(company);
  const shown = await visit(company, pageOf(id));
  expect(shown.html).toContain("No banco");
  expect(shown.html).not.toContain(`${pageOf(id)}/refund`);
  const asked = await visit(company, `${pageOf(id)}/refund`);
  expect(asked.status).toBe(302);
});

it("a refund instead asks once more with the exact amount, and the page says that it was asked for", async () => {
  const company = await givenCompany();
  const { id, transactionId } = await givenDisputed(company, MED);
  const asked = await visit(company, `${pageOf(id)}/refund`);
  expect(asked.html).toMatch(/Devolver R\$\s25,00 agora/);

  const form = { idempotencyKey: "refund_1" };
  const done = await visit(company, `${pageOf(id)}/refund`, { form });

  expect([done.status, done.headers.get("Location")]).toEqual([303, `${pageOf(id)}?done=refund`]);
  const { body } = await call(`/api/v1/transactions/${transactionId}`, { company });
  expect(body.data.refunds).toMatchObject([{ amount: 2_500, insteadOf: id }]);
  const again = await visit(company, `${pageOf(id)}/refund`, { form: { idempotencyKey: "other" } });
  expect(again.status).toBe(409);
});
