import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import { createApp } from "../../../../src/app.ts";
import { configOf } from "../../../../src/config.ts";
import { verifyDocument } from "../../../../src/webhooks/signing/signed-document.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { disputePath, submitEvidence } from "../../../support/builders/operations/dispute.ts";
import {
  givenUnexpectedPayment,
  reportDispute,
} from "../../../support/builders/reconciliation/provider-reports.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { simulate } from "../../../support/builders/operations/refund.ts";
import { FULL_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { movementsOf } from "../../../support/probes/ledger/ledger.ts";

const PDF = "application/pdf";
const DOCUMENT = FULL_REQUEST.customer.document.number.replaceAll(/\D/g, "");

async function givenFullDispute() {
  const company = await givenCompany({ webhookUrl: "https://loja.example.com/webhooks" });
  const { id: transactionId } = await givenTransaction(company, FULL_REQUEST);
  await pay(company, transactionId);
  const { body } = await simulate(company, transactionId, "dispute");
  const id = body.data.dispute.id as string;
  await submitEvidence(company, id, {
    text: "Entregue à cliente.",
    delivery: { carrier: "Correios" },
  });
  return { company, id, transactionId: transactionId as string };
}

const dossierOf = (company: TestCompany, id: string, accept = "application/json") =>
  call(`${disputePath(id)}/dossier`, { company, headers: { Accept: accept } });

it("a dossier has all that is known, and its signature verifies", async () => {
  const { company, id, transactionId } = await givenFullDispute();

  const answer = await dossierOf(company, id);

  expect(answer.status).toBe(200);
  await expectDocumented("GET /api/v1/disputes/{id}/dossier", answer);
  const { body } = answer;
  expect(body).toMatchObject({
    dispute: { id, transactionId, reason: "MED_FRAUD", status: "open" },
    transaction: { id: transactionId, status: "PAID" },
    payer: {
      name: FULL_REQUEST.customer.name,
      documentNumber: DOCUMENT,
    },
    items: FULL_REQUEST.items,
    evidence: { text: "Entregue à cliente.", delivery: { carrier: "Correios" } },
    leftOut: { timeline: 0, postings: 0, webhooks: 0, items: 0 },
  });
  expect(body.timeline.map(({ kind }: { kind: string }) => kind)).toContain("dispute");
  const types = (await movementsOf(company)).map(({ type }) => type);
  expect(body.postings.map(({ type }: { type: string }) => type)).toEqual(types);
  for (const { hash } of body.postings) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(body.webhooks.map(({ type }: { type: string }) => type)).toEqual([
    "transaction.paid",
    "dispute.opened",
    "transaction.disputed",
  ]);
  expect(body.webhooks[0].deliveries).toMatchObject([{ status: "pending", attempts: 0 }, {}]);
  const { secretsKeys } = configOf(env);
  expect(await verifyDocument(secretsKeys, company.providerCompanyId, body)).toBe(true);
  const changed = { ...body, evidence: null };
  expect(await verifyDocument(secretsKeys, company.providerCompanyId, changed)).toBe(false);
});

it("the PDF has pages, and the signed JSON attached", async () => {
  const { company, id } = await givenFullDispute();
  await submitEvidence(company, id, {
    text: `Um 🎁.\n${"palavra ".repeat(1_500)}${"x".repeat(900)}`,
  });

  const answer = await createApp().fetch(
    new Request(`https://localhost${disputePath(id)}/dossier`, {
      headers: { ...company.credentials, Accept: PDF },
    }),
    env,
  );

  expect(answer.headers.get("Content-Type")).toBe(PDF);
  const document = await PDFDocument.load(await answer.arrayBuffer());
  expect(document.getPageCount()).toBeGreaterThan(2);
  expect(document.getTitle()).toBe(`Dossiê da contestação ${id}`);
  const [attached] = document.getAttachments();
  expect(attached?.name).toBe("dossie.json");
  const json = JSON.parse(new TextDecoder().decode(attached!.data));
  const { secretsKeys } = configOf(env);
  expect(await verifyDocument(secretsKeys, company.providerCompanyId, json)).toBe(true);
});

it("without further scopes personal data are masked and webhooks are left out", async () => {
  const { company, id } = await givenFullDispute();
  const reader = await givenApplication(company, { scopes: ["transactions:read"] });
  const { body, text } = await dossierOf(reader, id);
  expect(body).toMatchObject({ webhooks: null, evidence: { text: "***" } });
  expect(text).not.toContain(DOCUMENT);
  expect(text).not.toContain(FULL_REQUEST.customer.email);
});

it("a dossier of a payment that nobody expected has the dispute and its events", async () => {
  const company = await givenCompany();
  const { paymentId } = await givenUnexpectedPayment(company, 2_500);
  await reportDispute(company, paymentId, { id: "D 1", status: "OPEN" });
  const answer = await dossierOf(company, "D 1");
  await expectDocumented("GET /api/v1/disputes/{id}/dossier", answer);
  expect(answer.body).toMatchObject({
    transaction: null,
    payer: null,
    timeline: [],
    webhooks: [{ type: "dispute.opened" }],
  });
  expect((await dossierOf(company, "D 1", PDF)).status).toBe(200);
});
