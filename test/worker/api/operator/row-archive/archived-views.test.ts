import { describe, expect, it } from "vitest";
import {
  archiveAll,
  filesOf,
  withoutFiles,
} from "../../../../support/builders/companies/archived-rows.ts";
import { MARKED_BOLETO, MARKED_PIX } from "../../../../support/builders/charges/marked-payer.ts";
import { exportAll } from "../../../../support/builders/charges/payer-requests.ts";
import { MARKED_DOCUMENT } from "../../../../support/builders/charges/marked-payer.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { cancel } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";

async function givenArchivedCharges() {
  const company = await givenCompany({ webhookUrl: "https://loja.example.com/hook" });
  const pix = await givenTransaction(company, { ...MARKED_PIX, externalRef: "order-1" });
  await pay(company, pix.id);
  const boleto = await givenTransaction(company, MARKED_BOLETO);
  await cancel(company, boleto.id);
  await waitUntilDrained(company);
  return { company, pix, boleto };
}

const current = (company: TestCompany, id: string, from = env) =>
  call(`/api/v1/transactions/${id}`, { company, env: from });

function row(id: string) {
  return env.DB.prepare("SELECT * FROM transactions WHERE id = ?").bind(id).first<any>();
}

describe("charges that have left D1", () => {
  it("are shown as before, with a note, whichever view is asked", async () => {
    const { company, pix, boleto } = await givenArchivedCharges();
    const paths = [
      `/api/v1/transactions/${pix.id}`,
      `/api/v1/transactions/${boleto.id}`,
      `/api/Transaction/transactionByTransactionId/${pix.id}`,
    ];
    const shown = (path: string) => call(path, { company });
    const before = await Promise.all(paths.map(shown));

    await archiveAll(company);

    expect(await row(pix.id)).toMatchObject({ items: "[]", metadata: null, pix: null });
    expect((await row(pix.id)).payer).not.toContain("Rua Marcada");
    expect(await filesOf(company, "transactions")).toHaveLength(1);
    const after = await Promise.all(paths.map(shown));
    for (const [index, answer] of after.entries()) {
      const { createdAt: _then, ...data } = before[index]!.body.data ?? before[index]!.body;
      const { createdAt: _now, archived, ...now } = answer.body.data ?? answer.body;
      expect(archived).toBe(true);
      expect(now).toEqual(data);
    }
    await expectDocumented("GET /api/v1/transactions/{id}", after[0]!);
  });

  it("are in lists and found by reference, end-to-end id, document, name and id", async () => {
    const { company, pix } = await givenArchivedCharges();
    await archiveAll(company);
    const { end_to_end_id: endToEndId } = await row(pix.id);

    const list = await call("/api/v1/transactions", { company });
    expect(list.body.items).toHaveLength(2);
    const queries = [
      "externalRef=order-1",
      `endToEndId=${endToEndId}`,
      `ids=${pix.id}`,
      "payerName=marcada&paymentMethod=PIX",
      `document=${MARKED_DOCUMENT}&paymentMethod=PIX`,
    ];
    for (const query of queries) {
      const { body } = await call(`/api/v1/transactions?${query}`, { company });
      expect(body.items, query).toHaveLength(1);
      expect(body.items[0], query).toMatchObject({
        providerTxId: pix.id,
        archived: true,
        lead: { name: MARKED_PIX.customer.name, street: null },
      });
    }
  });

  it("are in the statement, the report's file and a reconcile as before", async () => {
    const { company, pix } = await givenArchivedCharges();
    const { end_to_end_id: endToEndId } = await row(pix.id);
    const shown = async () => {
      const statement = `/api/Balance/statement/${company.id}?currency=BRL`;
      const lines = { items: [{ endToEndId, paidAmount: MARKED_PIX.amount, status: "PAID" }] };
      return {
        statement: (await call(statement, { company })).body,
        csv: (await call("/api/v1/transactions", { company, headers: { Accept: "text/csv" } })).text
          // The rows were made older.
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ""),
        reconciled: (await call("/api/v1/reconcile", { company, body: lines })).body,
      };
    };
    const before = await shown();
    expect(before.csv).toContain(pix.id);
    expect(JSON.stringify(before.reconciled)).toContain(pix.id);
    await archiveAll(company);
    expect(await shown()).toEqual(before);
  });

  it("are exported whole with their payer's data", async () => {
    const { company } = await givenArchivedCharges();
    const before = await exportAll(company, MARKED_DOCUMENT, 10);
    await archiveAll(company);
    const after = await exportAll(company, MARKED_DOCUMENT, 10);
    expect(after.charges.map(({ payer, items }) => ({ payer, items }))).toEqual(
      before.charges.map(({ payer, items }) => ({ payer, items })),
    );
    expect(after.events.map(({ data }) => data)).toEqual(before.events.map(({ data }) => data));
  });

  it("without a file are shown without their texts, and say so", async () => {
    const { company, pix } = await givenArchivedCharges();
    await archiveAll(company);
    const { status, body } = await current(company, pix.id, withoutFiles());
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      archived: true,
      textsMissing: true,
      metadata: null,
      customer: { name: MARKED_PIX.customer.name },
    });
    const events = await call("/api/v1/events", { company, env: withoutFiles() });
    expect(events.status).toBe(200);
    expect(events.body.items[0]).toMatchObject({ archived: true, data: null });
  });

  it("answer the same create again by its key", async () => {
    const company = await givenCompany();
    const first = await createTransaction(company, MARKED_PIX, { key: "create-1" });
    await pay(company, first.body.data.id);
    await waitUntilDrained(company);
    await archiveAll(company);
    const again = await createTransaction(company, MARKED_PIX, { key: "create-1" });
    expect(again.status).toBe(200);
    expect(again.body.data.pix).toEqual(first.body.data.pix);
    const missing = await createTransaction(company, MARKED_PIX, {
      key: "create-1",
      env: withoutFiles(),
    });
    expect(missing.status).toBe(503);
    expect(missing.headers.get("Retry-After")).not.toBeNull();
  });
});
