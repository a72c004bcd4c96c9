import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  actOnLink,
  formOf,
  givenLink,
  LINKS,
  openLink,
  sendForm,
  transactionOf,
} from "../../../support/builders/charges/payment-links.ts";
import { decide, newestUnexpected } from "../../../support/builders/charges/unexpected.ts";
import { processOperation } from "../../../../src/api/transactions/operations.ts";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { pay } from "../../../support/builders/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { CRASH, withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const BOLETO_PAYER = { method: "BOLETO", name: "Maria da Silva", document: "529.982.247-25" };

let company: TestCompany;
beforeAll(async () => {
  company = await givenCompany();
});

const show = async (id: string) => {
  await waitUntilDrained(company);
  return (await call(`${LINKS}/${id}`, { company })).body.data;
};
const expire = (id: string) =>
  call(`/api/v1/sandbox/transactions/${id}/expire`, { method: "POST", company });
const find = async (id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company })).body.data;
const linkEvents = async (id: string) =>
  (await eventsOf(company)).filter(({ objectId }) => objectId === `payment_link:${id}`);

/** A payer who makes a PIX, and then a boleto in the same checkout. */
async function givenBothMethods(slug: string) {
  const form = formOf((await openLink(slug)).text);
  const pix = transactionOf(await sendForm(slug, form));
  const other = await openLink(`${slug}?checkout=${form["checkout"]}`);
  const boleto = transactionOf(await sendForm(slug, formOf(other.text, BOLETO_PAYER)));
  return { pix, boleto };
}

function crash(): never {
  throw new Error(CRASH);
}

describe("a link with 3 payments", () => {
  it("sells 3 to 20 payers who act at once, announces each and its end, and then says so", async () => {
    const { id, slug } = await givenLink(company, { maxPayments: 3 });
    const pages = await Promise.all(Array.from({ length: 20 }, () => openLink(slug)));

    const answers = await Promise.all(pages.map(({ text }) => sendForm(slug, formOf(text))));

    const sold = answers.filter(({ status }) => status === 303);
    expect(sold).toHaveLength(3);
    const others = answers.filter(({ status }) => status !== 303);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([409]));
    expect(others[0]!.text).toContain("Não há vagas");
    const charges = sold.map(transactionOf);
    expect(await show(id)).toMatchObject({ openCount: 3, paidCount: 0, status: "active" });
    for (const charge of charges) expect((await pay(company, charge)).status).toBe(200);
    expect(await show(id)).toMatchObject({ openCount: 0, paidCount: 3, status: "exhausted" });
    const events = await linkEvents(id);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ["payment_link.paid", 1],
      ["payment_link.paid", 2],
      ["payment_link.paid", 3],
      ["payment_link.exhausted", 4],
    ]);
    expect(events[2]!.body.data).toEqual({
      id,
      companyId: company.id,
      slug,
      name: "Curso",
      status: "exhausted",
      previousStatus: "active",
      maxPayments: 3,
      paidCount: 3,
      metadata: null,
      transactionId: charges[2],
      amount: 5_000,
    });
    const closed = await openLink(slug);
    expect(closed.status).toBe(410);
    expect(closed.text).toContain("já foi pago");
  });

  it("gives the reservation of an expired charge to the next payer, and keeps its late payment aside", async () => {
    const { id, slug } = await givenLink(company, { maxPayments: 1 });
    const first = transactionOf(await actOnLink(slug));
    expect((await openLink(slug)).status).toBe(409);
    await expire(first);
    const second = transactionOf(await actOnLink(slug));
    expect((await pay(company, second)).status).toBe(200);
    const { suspense = 0 } = await accountsOf(company);

    await pay(company, first);

    expect(await show(id)).toMatchObject({ paidCount: 1, openCount: 0 });
    expect((await accountsOf(company)).suspense).toBe(suspense + 5_000);
    const { items } = (await call("/api/v1/payments/unexpected", { company })).body;
    expect(items[0]).toMatchObject({ reason: "LATE", status: "kept", transactionId: first });
    expect((await linkEvents(id)).map(({ type }) => type)).toEqual([
      "payment_link.paid",
      "payment_link.exhausted",
    ]);
  });

  it("counts a late payment while a reservation is free", async () => {
    const { id, slug } = await givenLink(company, { maxPayments: 1 });
    const late = transactionOf(await actOnLink(slug));
    await expire(late);
    await pay(company, late);
    expect(await show(id)).toMatchObject({ paidCount: 1, openCount: 0, status: "exhausted" });
    expect(await find(late)).toMatchObject({ status: "PAID", paymentLinkId: id });
  });
});

describe("a payer", () => {
  it("who sends the form twice at once, and again, has one charge", async () => {
    const { id, slug } = await givenLink(company, { maxPayments: 1 });
    const form = formOf((await openLink(slug)).text);
    const before = (await transactionsOf(company)).length;

    const answers = await Promise.all([sendForm(slug, form), sendForm(slug, form)]);
    answers.push(await sendForm(slug, form));

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(transactionOf)).size).toBe(1);
    expect(await transactionsOf(company)).toHaveLength(before + 1);
    await pay(company, transactionOf(answers[0]));
    const again = await sendForm(slug, form);
    expect(transactionOf(again)).toBe(transactionOf(answers[0]));
    expect(await show(id)).toMatchObject({ paidCount: 1 });
  });

  it("who makes a PIX and then a boleto counts once: the first that is paid ends the other", async () => {
    const { id, slug } = await givenLink(company, {
      maxPayments: 1,
      paymentMethods: ["PIX", "BOLETO"],
    });
    const form = formOf((await openLink(slug)).text);
    const pix = transactionOf(await sendForm(slug, form));
    const other = await openLink(`${slug}?checkout=${form["checkout"]}`);
    const boleto = transactionOf(await sendForm(slug, formOf(other.text, BOLETO_PAYER)));
    expect(boleto).not.toBe(pix);
    expect(await show(id)).toMatchObject({ openCount: 1, paidCount: 0 });

    await pay(company, boleto);

    expect(await show(id)).toMatchObject({ openCount: 0, paidCount: 1 });
    expect(await find(pix)).toMatchObject({ status: "CANCELLED", cancelReason: "REQUESTED" });
    const { suspense = 0 } = await accountsOf(company);
    const cancel = () =>
      inAccount(company.id, (_account, state) =>
        state.storage.sql
          .exec<{ id: number; kind: string; status: string }>(
            "SELECT id, kind, status FROM operations WHERE transaction_id = ?",
            pix,
          )
          .one(),
      );
    const { id: operation, ...told } = await cancel();
    expect(told).toEqual({ kind: "cancel", status: "PENDING" });
    await processOperation(env, systemDependencies, company.id, operation);
    expect((await cancel()).status).toBe("DONE");
    await pay(company, pix);
    expect((await accountsOf(company)).suspense).toBe(suspense + 5_000);
    const { items } = (await call("/api/v1/payments/unexpected", { company })).body;
    expect(items[0]).toMatchObject({ reason: "SECOND_PAYMENT", status: "kept" });
    expect((await linkEvents(id)).map(({ type }) => type)).toEqual([
      "payment_link.paid",
      "payment_link.exhausted",
    ]);
  });

  it("who pays both ways has one reservation, also after the merchant credits the second payment", async () => {
    const { id, slug } = await givenLink(company, {
      maxPayments: 2,
      paymentMethods: ["PIX", "BOLETO"],
    });
    const { pix, boleto } = await givenBothMethods(slug);
    await pay(company, boleto);
    await pay(company, pix);
    const { id: second } = await newestUnexpected(company);

    const credited = await decide(company, second, "credit", { key: "second_1" });

    expect(credited.body.data).toMatchObject({ status: "credited", transactionId: pix });
    expect(await show(id)).toMatchObject({ openCount: 0, paidCount: 1, status: "active" });
  });

  it("whose PIX expires keeps the reservation while the boleto is open", async () => {
    const { id, slug } = await givenLink(company, {
      maxPayments: 1,
      paymentMethods: ["PIX", "BOLETO"],
    });
    const { pix, boleto } = await givenBothMethods(slug);

    await expire(pix);
    expect(await show(id)).toMatchObject({ openCount: 1 });
    expect((await openLink(slug)).status).toBe(409);

    await expire(boleto);
    expect(await show(id)).toMatchObject({ openCount: 0 });
  });

  it("leaves no reservation taken for ever, wherever the Worker crashes", async () => {
    const clock = new TestClock();
    const shop = await givenCompany({ clock });
    const { id, slug } = await givenLink(shop, { maxPayments: 1 });
    const beforeClaim = withD1(env, (sql, run) =>
      /^insert into "transactions"/i.test(sql) ? Promise.resolve().then(crash) : run(),
    );
    expect((await actOnLink(slug, {}, { env: beforeClaim })).status).toBe(500);
    expect((await openLink(slug)).status).toBe(409);
    clock.advance(2 * 60_000);
    await waitUntilDrained(shop);

    let taken = 0;
    const beforeKeeping = withAccounts(env, (label, run) =>
      label === "takeReservation" && ++taken === 2 ? Promise.resolve().then(crash) : run(),
    );
    expect((await actOnLink(slug, {}, { env: beforeKeeping })).status).toBe(500);
    clock.advance(2 * 60_000);
    await waitUntilDrained(shop);
    const sold = transactionOf(await actOnLink(slug));
    await runCron({ ...systemDependencies, platformClock: clock });

    const rows = await transactionsOf(shop);
    expect(rows).toHaveLength(2);
    expect(rows.find(({ id: transactionId }) => transactionId === sold)?.status).toBe(
      "waiting_payment",
    );
    expect(rows.find(({ id: transactionId }) => transactionId !== sold)?.status).toBe("failed");
    await inAccount(shop.id, (account) => account.runNow());
    const { body } = await call(`${LINKS}/${id}`, { company: shop });
    expect(body.data).toMatchObject({ openCount: 1, paidCount: 0 });
  });
});
