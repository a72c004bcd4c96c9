import { describe, expect, it } from "vitest";
import {
  MARKED_BOLETO,
  MARKED_CARD,
  MARKED_DOCUMENT,
  MARKED_PAYER,
  MARKED_PIX,
} from "../../../support/builders/charges/marked-payer.ts";
import { exportAll, exportPayer } from "../../../support/builders/charges/payer-requests.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { env, givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { setScopes } from "../../../support/builders/companies/credentials.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const OTHER = { customer: { name: "Outra", document: { number: "52998224725", type: "CPF" } } };

describe("POST /api/v1/payers/export", () => {
  it("has all that is stored of a payer, and nothing of another", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock, balance: 50_000 });
    const sink = new WebhookSink(clock);
    const pix = await givenTransaction(company, MARKED_PIX);
    await givenTransaction(company, OTHER);
    const card = await givenTransaction(company, MARKED_CARD);
    await pay(company, pix.id);
    const key = { pixKey: MARKED_DOCUMENT, pixKeyType: "CPF" };
    const { body: withdraw } = await requestWithdraw(company, { ...key, amount: 1_000 });
    await requestWithdraw(company, { amount: 2_000 });
    await sink.deliverAll(company);

    const answer = await exportPayer(company, "390.533.447-05");
    expect(answer.status).toBe(200);
    await expectDocumented("POST /api/v1/payers/export", answer);

    const all = await exportAll(company, MARKED_DOCUMENT, 10);
    const { customer, shipping, ip } = MARKED_PAYER;
    expect(all.charges).toMatchObject([
      {
        payer: {
          externalId: customer.id,
          name: customer.name,
          email: customer.email,
          phone: customer.phone,
          documentNumber: MARKED_DOCUMENT,
          address: shipping.address,
          ip,
        },
        shippingFee: 1_500,
        items: MARKED_PIX.items,
        transaction: { id: pix.id, status: "PAID", metadata: MARKED_PIX.metadata },
      },
      { transaction: { id: card.id, card: { holderName: "MARKED HOLDER" } } },
    ]);
    expect(all.events).toMatchObject([
      { type: "transaction.paid", data: { id: card.id }, deliveries: [] },
      {
        type: "transaction.paid",
        data: { id: pix.id, ip },
        deliveries: [{ status: "delivered", attempts: 1, tries: [{ httpStatus: 204 }] }],
      },
    ]);
    expect(all.withdraws).toMatchObject([{ id: withdraw.id, value: 10, ...key }]);
  });

  it.each([1, 2, 3, 20])("comes whole in pages of %i charges", async (limit) => {
    const company = await givenCompany();
    const ids: string[] = [];
    for (const request of [MARKED_PIX, OTHER, MARKED_BOLETO, MARKED_PIX, OTHER, MARKED_CARD]) {
      const { id } = await givenTransaction(company, request);
      if (request !== OTHER) ids.push(id);
    }
    const { charges, pages } = await exportAll(company, MARKED_DOCUMENT, limit);
    expect(charges.map(({ transaction }) => transaction.id)).toEqual(ids);
    expect(pages).toBeLessThanOrEqual(Math.ceil(4 / limit) + 3);
  });

  it("ends a page where its events would weigh more than 2 MB, after one charge at least", async () => {
    const company = await givenCompany();
    for (let charge = 0; charge < 3; charge++) {
      const { id } = await givenTransaction(company, MARKED_PIX);
      await pay(company, id);
    }
    await env.DB.prepare(
      "UPDATE events SET body = json_set(body, '$.data.metadata', hex(zeroblob(600000))) WHERE company_id = ?",
    )
      .bind(company.id)
      .run();
    const { body } = await exportPayer(company, MARKED_DOCUMENT);
    expect(body.data.charges).toHaveLength(1);
    expect(body).toMatchObject({ after: "charge:1", hasMore: true });
    expect((await exportAll(company, MARKED_DOCUMENT, 10)).charges).toHaveLength(3);
  });

  it("reads a bounded number of withdraws in each page, and finds them all", async () => {
    const company = await givenCompany({ balance: 1_000 });
    await inAccount(company.id, (_account, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 1200)
         INSERT INTO withdraws (id, payout_id, idempotency_key, request_hash, amount, fee, currency, pix_key,
           pix_key_type, creditor_document, description, status, version, event_sequence, created_at,
           updated_at, checks, lease_until, movements, day_sum)
         SELECT id, 'p' || id, 'k' || id, '', 1000, 0, 'BRL', iif(id % 400 = 0, ?, 'x@example.com'),
           'EMAIL', '', '', 'Cancelled', 0, 0, 0, 0, 0, 0, '[]', 0 FROM n`,
        MARKED_DOCUMENT,
      );
    });
    const { withdraws, pages } = await exportAll(company, MARKED_DOCUMENT, 20);
    await inAccount(company.id, (_account, { storage }) => {
      storage.sql.exec("DELETE FROM withdraws");
    });
    expect(withdraws.map(({ id }) => id)).toEqual([400, 800, 1_200]);
    expect(pages).toBe(5);
  });

  it("is empty for an unknown payer", async () => {
    const all = await exportAll(await givenCompany(), MARKED_DOCUMENT, 20);
    expect(all).toMatchObject({ charges: [], events: [], withdraws: [] });
  });

  it("is in the audit trail, page by page", async () => {
    const company = await givenCompany();
    await exportAll(company, MARKED_DOCUMENT, 20);
    const { results } = await env.DB.prepare(
      'SELECT action, target, "after" FROM audit_entries WHERE company_id = ? ORDER BY sequence',
    )
      .bind(company.id)
      .all();
    const entry = { action: "payer.export", target: "payer:***.533.447-**" };
    expect(results).toEqual([
      { ...entry, after: '{"from":null,"limit":20}' },
      { ...entry, after: '{"from":"subscription:0","limit":20}' },
      { ...entry, after: '{"from":"withdraw:0","limit":20}' },
    ]);
  });

  it.each([
    ["a document that fails its check digits", { document: "39053344706" }, "document"],
    ["a limit that is too large", { document: MARKED_DOCUMENT, limit: 21 }, "limit"],
    ["an after of another list", { document: MARKED_DOCUMENT, after: "12" }, "after"],
  ])("VALIDATION_FAILED: %s", async (_what, body, field) => {
    const company = await givenCompany();
    const { document, ...page } = body;
    const answer = await exportPayer(company, document, page);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });

  it("FORBIDDEN: without pii:read", async () => {
    const company = await givenCompany();
    await setScopes(company, ["transactions:read", "settings:write"]);
    const answer = await exportPayer(company, MARKED_DOCUMENT);
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });
});
