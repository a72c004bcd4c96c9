import { expect, it } from "vitest";
import { MARKED_DOCUMENT, MARKED_PIX } from "../../../support/builders/charges/marked-payer.ts";
import { erasePayer } from "../../../support/builders/charges/payer-requests.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { setRules } from "../../../support/builders/charges/unexpected.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { dumpD1 } from "../../../support/probes/database/dumps.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";

it("leaves no trace of who paid, nor of a second payer, in replies, payments and events", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/hook" });
  const sink = new WebhookSink(clock);
  sink.respond = ({ rawBody }) => new Response(rawBody);
  const { id } = await givenTransaction(company, MARKED_PIX);
  const payer = { name: "MARKED PAYER", document: MARKED_DOCUMENT };
  const body = { amount: 900, payer };
  const path = `/api/v1/sandbox/transactions/${id}/pay`;
  await call(path, { company, method: "POST", body });
  await call(path, { company, method: "POST", body });
  await refund(company, id, 100, { key: "refund-1" });
  await sink.deliverAll(company);
  const stored = async () => `${await dumpD1(company.id)}\n${await dumpObject(company)}`;
  expect(await stored()).toContain("MARKED PAYER");

  await erasePayer(company, MARKED_DOCUMENT);

  expect(await stored()).not.toContain("MARKED PAYER");
  const again = await refund(company, id, 100, { key: "refund-1" });
  expect(again.body.data.payer).toMatchObject({ name: null, documentMasked: null });
});

// The plans of all queries are judged at the file's end: one without a charge of the acquirer must not read them all.
it("leaves no trace of who paid an expired charge, whose payment was unexpected", async () => {
  const company = await givenCompany();
  await setRules(company, { LATE: "keep" });
  const { id } = await givenTransaction(company, MARKED_PIX);
  const path = `/api/v1/sandbox/transactions/${id}`;
  await call(`${path}/expire`, { company, method: "POST" });
  const payer = { name: "MARKED PAYER", document: MARKED_DOCUMENT };
  await call(`${path}/pay`, { company, method: "POST", body: { payer } });
  expect(await dumpD1(company.id)).toContain("MARKED PAYER");

  await erasePayer(company, MARKED_DOCUMENT);

  expect(await dumpD1(company.id)).not.toContain("MARKED PAYER");
});
