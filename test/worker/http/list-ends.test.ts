import { beforeAll, expect, it } from "vitest";
import { givenTransaction, pay } from "../../support/builders/charges/transaction.ts";
import { givenEndpoint } from "../../support/builders/webhooks/endpoints.ts";
import { givenLink } from "../../support/builders/charges/payment-links.ts";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../support/builders/companies/company.ts";
import { givenApplication } from "../../support/builders/companies/application.ts";
import { givenDisputed, submitEvidence } from "../../support/builders/operations/dispute.ts";
import { givenUnexpectedPayment } from "../../support/builders/reconciliation/provider-reports.ts";
import { call } from "../../support/builders/requests/api.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";
import { FULL_REQUEST } from "../../support/builders/requests/full-request.ts";

const LISTS = [
  "/api/v1/transactions",
  "/api/v1/payers",
  "/api/v1/withdraws",
  "/api/v1/disputes",
  "/api/v1/payments/unexpected",
  "/api/v1/pix/static-codes",
  "/api/v1/payment-links",
  "/api/v1/applications",
  "/api/v1/statement/entries",
  "/api/v1/events",
  "/api/v1/events?order=newest",
  "/api/v1/audit?order=newest",
  "/api/v1/webhooks/deliveries",
  "/api/v1/webhooks/endpoints",
];

let company: TestCompany;

beforeAll(async () => {
  company = await givenCompany();
  const postbackUrl = "https://loja.example.com/hook";
  const { id } = await givenTransaction(company, { ...FULL_REQUEST, postbackUrl });
  await pay(company, id);
  for (const amount of [1_000, 2_000]) {
    const dispute = await givenDisputed(company);
    await givenUnexpectedPayment(company, amount);
    await requestWithdraw(company, { amount });
    await givenLink(company, { name: `Mesa ${amount}` });
    await givenApplication(company);
    await givenEndpoint(company, { url: `https://erp.example.com/${amount}` });
    await submitEvidence(company, dispute.id, { text: `Entregue em ${amount}` });
    await call("/api/v1/pix/static-codes", { company, body: { amount } });
  }
  await waitUntilDrained(company);
});

const pageOf = async (list: string, limit: number, after?: string) => {
  const query = `${list.includes("?") ? "&" : "?"}limit=${limit}`;
  const from = after === undefined ? "" : `&after=${encodeURIComponent(after)}`;
  const { status, body } = await call(`${list}${query}${from}`, { company });
  expect(status, list).toBe(200);
  return body;
};

it.each(LISTS)("%s ends with its last row, also where a page is just full", async (list) => {
  const all = await pageOf(list, 100);
  const count = all.items.length;
  expect(count).toBeGreaterThan(0);
  expect(all.hasMore).toBe(false);
  expect((await pageOf(list, count)).hasMore).toBe(false);
  const walked: unknown[] = [];
  let after: string | undefined;
  for (let pages = 1; pages <= count; pages++) {
    const page = await pageOf(list, 1, after);
    walked.push(...page.items);
    expect([pages, page.hasMore]).toEqual([pages, pages < count]);
    after = page.after;
  }
  expect(walked).toEqual(all.items);
});
