import { expect, it } from "vitest";
import { addDays } from "../../../../../../src/domain/shared/calendar-day.ts";
import { givenCard } from "../../../../../support/builders/charges/card.ts";
import {
  AMOUNT,
  callEnded,
  decide,
  givenPaid as givenPaidCharge,
} from "../../../../../support/builders/charges/paid-ends.ts";
import {
  givenPaid,
  givenTransaction,
} from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { updateSettings } from "../../../../../support/builders/operations/refund.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const transaction = async (company: Awaited<ReturnType<typeof givenCompany>>, id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company })).body.data;

it("a refund in part shows amount and balance after first; its form sent twice refunds once", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 250_000);
  const path = `/console/payments/${id}/refund`;
  expect((await visit(company, path)).html).toContain('value="2500,00"');
  const step = await visit(company, `${path}?amount=1.234,56`);
  expect(step.html).toContain("R$\u00a01.234,56");
  expect(step.html).toContain("R$\u00a01.265,44");
  expectClean(step.html);
  const form = { amount: "1234,56", idempotencyKey: keyOf(step.html) };
  for (const answer of [
    await visit(company, path, { form }),
    await visit(company, path, { form }),
  ]) {
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`/console/payments/${id}?done=refund`);
  }
  expect(await transaction(company, id)).toMatchObject({ refundedAmount: 123_456 });
  const after = await visit(company, `/console/payments/${id}?done=refund`);
  expect(after.html).toContain("Devolução ou estorno pedido.");
  expectClean(after.html);
});

it("a refund takes the charge's own unreleased credit first, so the balance after stays", async () => {
  const company = await givenCompany();
  await updateSettings(company, { releaseDays: { PIX: 1 }, fees: { PIX: { fixed: 100 } } });
  const { id } = await givenPaid(company, 5_000);
  const { html } = await visit(company, `/console/payments/${id}/refund?amount=10`, {
    language: "en",
  });
  const facts = [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map((fact) =>
    fact.slice(1),
  );
  expect(facts).toEqual([
    ["Amount", "R$10.00"],
    ["Available now", "R$0.00"],
    ["Taken from this charge&#39;s own credit", "R$10.00"],
    ["Available after", "R$0.00"],
  ]);
  const detail = await visit(company, `/console/payments/${id}`, { language: "en" });
  expect(detail.html).toContain("<dt>Fee</dt><dd>R$1.00</dd>");
});

it("a waiting boleto gets another due date by a form, which says at the top why a day is refused", async () => {
  const company = await givenCompany();
  const customer = { name: "Maria da Conceição", document: { number: "12345678909" } };
  const { id, boleto } = await givenTransaction(company, { paymentMethod: "BOLETO", customer });
  const page = `/console/payments/${id}`;
  const path = `${page}/due-date`;
  expect((await visit(company, page)).html).toContain(`href="${path}"`);
  const step = await visit(company, path);
  expect(step.html).toContain(`value="${boleto.dueDate}"`);
  expectClean(step.html);

  const form = { dueDate: "2026-01-01", idempotencyKey: keyOf(step.html) };
  const refused = await visit(company, path, { form });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="2026-01-01"');
  expectClean(refused.html);

  const dueDate = addDays(boleto.dueDate, 7);
  const again = { dueDate, idempotencyKey: keyOf(refused.html) };
  const sent = await visit(company, path, { form: again });
  expect(sent.headers.get("Location")).toBe(`${page}?done=due-date`);
  expect((await transaction(company, id)).boleto.dueDate).toBe(dueDate);
  const portuguese = await visit(company, `${page}?done=due-date`);
  expect(portuguese.html).toContain("Mudança de vencimento pedida.");
  const english = await visit(company, page, { language: "en" });
  expect(english.html).toContain("Change of the due date");
  const { id: pix } = await givenTransaction(company);
  expect((await visit(company, `/console/payments/${pix}`)).html).not.toContain("/due-date");
  expect((await visit(company, `/console/payments/${pix}/due-date`)).status).toBe(409);
});

it("an amount that is none or above the payment is refused at the field, and nothing is refunded", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  for (const amount of ["abc", "25,01"]) {
    const { status, html } = await visit(
      company,
      `/console/payments/${id}/refund?amount=${encodeURIComponent(amount)}`,
    );
    expect(status).toBe(422);
    expect(html).toContain('aria-invalid="true"');
    expect(html).toContain(`value="${amount}"`);
  }
  const form = { amount: "25,01", idempotencyKey: "k1" };
  const refused = await visit(company, `/console/payments/${id}/refund`, { form });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("REFUND_EXCEEDS_PAID");
  expect(await transaction(company, id)).toMatchObject({ refundedAmount: 0 });
});

it("a refund offers what operators did not take, as the API allows it", async () => {
  const { company, charge } = await givenPaidCharge();
  const timeline = async () =>
    (await call(`/api/v1/transactions/${charge.id}/timeline`, { company })).body;
  expect(await timeline()).toMatchObject({ refundable: AMOUNT });
  await callEnded(company, charge);
  await decide(company, { action: "correct", amount: -1_000 });

  const { html } = await visit(company, `/console/payments/${charge.id}/refund`);

  expect(html).toContain('value="15,00"');
  expect(await timeline()).toMatchObject({ refundable: 1_500 });
  const more = await visit(company, `/console/payments/${charge.id}/refund?amount=15,01`);
  expect(more.status).toBe(422);
});

it("422: support refunds no more a day than its limit, and the page says how much that is", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 100_000);
  const path = `/console/payments/${id}/refund`;
  const step = await visit(company, path, { role: "support" });
  expect(step.html).toContain("no máximo R$\u00a0500,00");
  expect(step.html).toContain('value="1000,00"');
  const form = { amount: "500,01", idempotencyKey: "k1" };
  const refused = await visit(company, path, { role: "support", form });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("REFUND_LIMIT_EXCEEDED");
  const allowed = { amount: "500,00", idempotencyKey: "k2" };
  expect((await visit(company, path, { role: "support", form: allowed })).status).toBe(303);
});

it("a viewer has no actions; 403 for the page and for the form", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const role = "viewer";
  const { html } = await visit(company, `/console/payments/${id}`, { role });
  expect(html).not.toContain("/cancel");
  expect(html).not.toContain('/pay"');
  expect((await visit(company, `/console/payments/${id}/cancel`, { role })).status).toBe(403);
  const form = { idempotencyKey: "k1" };
  expect((await visit(company, `/console/payments/${id}/cancel`, { role, form })).status).toBe(403);
  expect((await transaction(company, id)).status).toBe("WAITING_PAYMENT");
});

it("cancel and capture do what they say, and are offered only where they are possible", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const form = { idempotencyKey: "k1" };
  expect((await visit(company, `/console/payments/${id}/capture`)).status).toBe(409);
  expect((await visit(company, `/console/payments/${id}/cancel`, { form })).status).toBe(303);
  expect((await transaction(company, id)).status).toBe("CANCELLED");
  const card = await givenCard(company, { capture: false });
  const captured = { amount: "10,00", idempotencyKey: "k2" };
  const path = `/console/payments/${card.id}/capture`;
  expect((await visit(company, `${path}?amount=10`)).html).toContain("R$\u00a010,00");
  expect((await visit(company, path, { form: captured })).status).toBe(303);
  expect((await transaction(company, card.id)).paidAmount).toBe(1_000);
});

it("a simulated payment whose form is sent twice is one payment", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  expect((await visit(company, `/console/payments/${id}`)).html).toContain("Simular pagamento");
  const confirm = await visit(company, `/console/payments/${id}/pay`, { language: "en" });
  expectClean(confirm.html);
  const path = `/console/payments/${id}/pay`;
  const form = { idempotencyKey: keyOf(confirm.html) };
  expect((await visit(company, path, { form })).status).toBe(303);
  expect((await visit(company, path, { form })).status).toBe(409);
  expect((await transaction(company, id)).status).toBe("PAID");
});

it("a dispute is opened, won and lost, and a chargeback reversed, as the test bank would", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_000);
  const path = `/console/payments/${id}`;
  for (const [action, state] of [
    ["dispute", { dispute: expect.objectContaining({ status: "OPEN" }) }],
    ["dispute-won", { status: "PAID" }],
    ["chargeback", { status: "REFUNDED" }],
    ["chargeback-reversed", { status: "PAID" }],
    ["dispute", { dispute: expect.objectContaining({ status: "OPEN" }) }],
    ["dispute-lost", { status: "REFUNDED" }],
  ] as const) {
    expect((await visit(company, path)).html).toContain(`href="${path}/${action}"`);
    const confirm = await visit(company, `${path}/${action}`);
    expectClean(confirm.html);
    const form = { idempotencyKey: keyOf(confirm.html) };
    expect((await visit(company, `${path}/${action}`, { form })).status).toBe(303);
    expect(await transaction(company, id)).toMatchObject(state);
  }
  expect((await visit(company, `${path}/dispute-won`, { form: {} })).status).toBe(409);
});
