import { describe, expect, it, vi } from "vitest";
import { enqueueRequest, saveErasureRequest } from "../../../../src/api/payers/repository.ts";
import { operationSubject } from "../../../../src/api/provider-callbacks/subjects.ts";
import { storeCallback } from "../../../../src/db/reconciliation/callbacks.ts";
import { erasePayers } from "../../../../src/api/payers/tasks.ts";
import {
  ERASED_MARKS,
  MARKED_BOLETO,
  MARKED_CARD,
  MARKED_DOCUMENT,
  MARKED_PIX,
} from "../../../support/builders/charges/marked-payer.ts";
import { erasePayer, exportAll } from "../../../support/builders/charges/payer-requests.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { setScopes } from "../../../support/builders/companies/credentials.ts";
import { cancel, refund, simulate } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { resendAllPages } from "../../../support/builders/webhooks/resend-range.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { injectFault, withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { dumpD1 } from "../../../support/probes/database/dumps.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { auditAll } from "../../../support/probes/ledger/audit.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OTHER = { customer: { name: "Outra Pessoa", document: { number: "52998224725" } } };

/** The marks that D1 or the company's object still has. */
async function marksLeft(company: TestCompany): Promise<string[]> {
  const stored = `${await dumpD1(company.id)}\n${await dumpObject(company)}`;
  return ERASED_MARKS.filter((mark) => stored.includes(mark));
}

/** A company with a webhook receiver that answers with what it was sent. */
async function givenEchoedCompany() {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/hook" });
  const sink = new WebhookSink(clock);
  sink.respond = ({ rawBody }) => new Response(rawBody);
  return { clock, company, sink, deps: { platformClock: clock } };
}

async function givenMarkedCharges(company: TestCompany) {
  const pix = await givenTransaction(company, MARKED_PIX);
  await pay(company, pix.id);
  const card = await givenTransaction(company, MARKED_CARD);
  await refund(company, card.id, 1_000, { key: "refund-1" });
  const boleto = await givenTransaction(company, MARKED_BOLETO);
  await cancel(company, boleto.id);
  return { pix, card, boleto };
}

async function transactionRow(id: string) {
  return env.DB.prepare("SELECT * FROM transactions WHERE id = ?").bind(id).first<any>();
}

describe("POST /api/v1/payers/erase", () => {
  it("leaves no trace of the payer in D1 or in the object, and all money as it was", async () => {
    const { company, sink } = await givenEchoedCompany();
    const { pix, card } = await givenMarkedCharges(company);
    const other = await givenTransaction(company, OTHER);
    await sink.deliverAll(company);
    expect(await marksLeft(company)).toEqual(ERASED_MARKS);
    const before = await transactionRow(card.id);
    const balance = await call(`/api/Balance/balance/${company.id}?currency=BRL`, { company });

    const answer = await erasePayer(company, "390.533.447-05");

    expect(answer.status).toBe(200);
    await expectDocumented("POST /api/v1/payers/erase", answer);
    expect(answer.body.data).toEqual({
      document: "***.533.447-**",
      erased: 3,
      open: 0,
      subscriptions: { erased: 0, open: 0 },
      status: "done",
    });
    expect(await marksLeft(company)).toEqual([]);

    const after = await transactionRow(card.id);
    const kept = ["amount", "paid_amount", "refunds", "external_nsu", "request_hash", "metadata"];
    for (const column of [...kept, "items", "external_ref", "seq", "lead_number"]) {
      expect(after[column], column).toEqual(before[column]);
    }
    const paid = await transactionRow(pix.id);
    expect(paid.metadata).toBe(MARKED_PIX.metadata);
    expect(paid.end_to_end_id).not.toBeNull();
    const now = await call(`/api/Balance/balance/${company.id}?currency=BRL`, { company });
    expect(now.body).toEqual(balance.body);
    expect((await auditAll(company, true)).violations).toEqual([]);
    expect((await transactionRow(other.id)).payer).toContain("Outra Pessoa");
  });

  it("sends the erased event when a delivery is repeated", async () => {
    const { clock, company, sink } = await givenEchoedCompany();
    await givenMarkedCharges(company);
    await sink.deliverAll(company);
    await erasePayer(company, MARKED_DOCUMENT);
    sink.received.length = 0;

    const range = { from: "2020-01-01", to: "2099-01-01", status: ["delivered"] };
    await resendAllPages(company, range, { clock });
    await sink.deliverAll(company);

    expect(sink.received.length).toBeGreaterThan(0);
    const sent = sink.received.map(({ rawBody }) => rawBody).join();
    expect(ERASED_MARKS.filter((mark) => sent.includes(mark))).toEqual([]);
  });

  it("shows the erased data in later events, replays and views", async () => {
    const { company } = await givenEchoedCompany();
    const create = { key: "create-1" };
    const { id } = (await createTransaction(company, MARKED_CARD, create)).body.data;
    await refund(company, id, 1_000, { key: "refund-1" });
    await erasePayer(company, MARKED_DOCUMENT);

    const shown = [
      await createTransaction(company, MARKED_CARD, create),
      await refund(company, id, 1_000, { key: "refund-1" }),
      await refund(company, id, 500),
      await simulate(company, id, "chargeback"),
      await call(`/api/Transaction/transactionByTransactionId/${id}`, { company }),
      await call("/api/v1/events", { company }),
    ];

    expect(shown.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const text = shown.map((answer) => answer.text).join();
    expect(ERASED_MARKS.filter((mark) => text.includes(mark))).toEqual([]);
    expect(shown[1]!.body.data.card).toMatchObject({ brand: "visa", holderName: "" });
    expect(await marksLeft(company)).toEqual([]);
  });

  it("may be repeated, and does nothing for an unknown payer", async () => {
    const company = await givenCompany();
    await givenMarkedCharges(company);
    await erasePayer(company, MARKED_DOCUMENT);
    for (const document of [MARKED_DOCUMENT, "52998224725"]) {
      const { body } = await erasePayer(company, document);
      expect(body.data).toMatchObject({ erased: 0, open: 0, status: "done" });
    }
  });

  it("keeps another company's charges of the same payer", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    await givenMarkedCharges(ours);
    const { pix } = await givenMarkedCharges(theirs);
    await erasePayer(ours, MARKED_DOCUMENT);
    expect((await transactionRow(pix.id)).payer).toContain(MARKED_DOCUMENT);
  });

  it("makes a later charge of the same document one of a new payer", async () => {
    const company = await givenCompany();
    const { pix } = await givenMarkedCharges(company);
    await erasePayer(company, MARKED_DOCUMENT);
    const { id } = await givenTransaction(company, MARKED_PIX);
    const [before, after] = [await transactionRow(pix.id), await transactionRow(id)];
    expect(after.lead_number).toBe(before.lead_number + 1);
    expect(after.payer).toContain(MARKED_DOCUMENT);
  });

  it("erases a charge of before keyed hashes", async () => {
    const company = await givenCompany();
    const { pix } = await givenMarkedCharges(company);
    await env.DB.prepare("UPDATE transactions SET lead_key = ? WHERE company_id = ?")
      .bind(`doc:${MARKED_DOCUMENT}`, company.id)
      .run();
    expect((await erasePayer(company, MARKED_DOCUMENT)).body.data.erased).toBe(3);
    expect((await transactionRow(pix.id)).lead_key).toBeNull();
  });

  it("is in the audit trail before it happens, with the document masked", async () => {
    const company = await givenCompany();
    const { card, boleto } = await givenMarkedCharges(company);
    await erasePayer(company, MARKED_DOCUMENT);
    const { results } = await env.DB.prepare(
      "SELECT action, target, actor_id FROM audit_entries WHERE company_id = ? ORDER BY sequence",
    )
      .bind(company.id)
      .all();
    const by = { actor_id: company.clientId };
    expect(results).toEqual([
      { action: "transaction.refund", target: `transaction:${card.id}`, ...by },
      { action: "transaction.cancel", target: `transaction:${boleto.id}`, ...by },
      { action: "payer.erase", target: "payer:***.533.447-**", ...by },
    ]);
  });

  it.each([
    ["a document that fails its check digits", { document: "39053344706" }, "document"],
    ["no document", {}, "document"],
    ["an unknown field", { document: MARKED_DOCUMENT, dryRun: true }, "dryRun"],
  ])("VALIDATION_FAILED: %s, and nothing is erased", async (_what, body, field) => {
    const company = await givenCompany();
    const { pix } = await givenMarkedCharges(company);
    const answer = await call("/api/v1/payers/erase", { company, body });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    expect((await transactionRow(pix.id)).payer).toContain(MARKED_DOCUMENT);
  });

  it("FORBIDDEN: without settings:write nothing is erased", async () => {
    const company = await givenCompany();
    const { pix } = await givenMarkedCharges(company);
    await setScopes(company, ["transactions:read", "pii:read"]);
    await expectProblem(await erasePayer(company, MARKED_DOCUMENT), {
      status: 403,
      code: "FORBIDDEN",
    });
    expect((await transactionRow(pix.id)).payer).toContain(MARKED_DOCUMENT);
  });
});

describe("a charge that has not ended", () => {
  it("is erased by the cron after its end, and a charge made since stays", async () => {
    const { clock, company, deps } = await givenEchoedCompany();
    const open = await givenTransaction(company, MARKED_PIX, { deps });
    const answer = await erasePayer(company, MARKED_DOCUMENT, { deps });
    expect(answer.body.data).toMatchObject({ erased: 0, open: 1, status: "pending" });
    const later = await givenTransaction(company, MARKED_PIX, { deps });

    clock.advance(HOUR_MS);
    await erasePayers(env, deps);
    expect((await transactionRow(open.id)).payer).toContain(MARKED_DOCUMENT);

    await pay(company, open.id, undefined, { deps });
    clock.advance(HOUR_MS);
    await erasePayers(env, deps);
    expect((await transactionRow(open.id)).payer).not.toContain(MARKED_DOCUMENT);
    expect((await transactionRow(later.id)).payer).toContain(MARKED_DOCUMENT);
  });
});

describe("what was in flight at the erasure", () => {
  it("is a callback about a refund: what the PSP wrote of the payer is erased", async () => {
    const { company } = await givenEchoedCompany();
    const { card } = await givenMarkedCharges(company);
    const { refunds } = await transactionRow(card.id);
    const [{ id: refundId }] = JSON.parse(refunds);
    const callback = {
      id: `${company.id}-refund`,
      companyId: company.id,
      objectId: operationSubject(refundId.replaceAll("-", "")),
      body: JSON.stringify({ infoPagador: ERASED_MARKS[0] }),
      dueAt: Number.MAX_SAFE_INTEGER,
      attempts: 0,
      receivedAt: 0,
    };
    await storeCallback(env, callback);

    await erasePayer(company, MARKED_DOCUMENT);

    const stored = env.DB.prepare("SELECT body FROM callbacks WHERE id = ?").bind(callback.id);
    expect(await stored.first()).toEqual({ body: null });
  });

  it("is a repeated request: the cron that had read the first does not end it", async () => {
    const { company, clock } = await givenEchoedCompany();
    const { id } = await givenTransaction(company, MARKED_PIX);
    const { lead_key: leadKey } = await transactionRow(id);
    const first = await saveErasureRequest(env, company.id, leadKey, clock.now());
    await givenTransaction(company, MARKED_PIX);
    const second = await saveErasureRequest(env, company.id, leadKey, clock.now());

    await enqueueRequest(env, first!, [1], true, clock.now());

    const stored = env.DB.prepare(
      "SELECT up_to_seq FROM payer_erasure_requests WHERE company_id = ?",
    );
    expect(await stored.bind(company.id).first("up_to_seq")).toBe(second!.upToSeq);
  });

  it("is erased ten minutes later, and then nothing is left to do", async () => {
    const { clock, company, sink, deps } = await givenEchoedCompany();
    await givenMarkedCharges(company);
    // The receiver answers with what it was sent before, while the erasure runs.
    sink.respond = async ({ rawBody }) => {
      await erasePayer(company, MARKED_DOCUMENT, { deps });
      return new Response(rawBody);
    };
    await sink.deliverAll(company);
    expect(await marksLeft(company)).not.toEqual([]);

    clock.advance(11 * MINUTE_MS);
    await erasePayers(env, deps);

    expect(await marksLeft(company)).toEqual([]);
    const { results } = await env.DB.prepare(
      "SELECT * FROM payer_erasures WHERE company_id = ? UNION ALL SELECT *, NULL FROM (SELECT company_id, 0, '', 0 FROM payer_erasure_requests WHERE company_id = ?)",
    )
      .bind(company.id, company.id)
      .all();
    expect(results).toEqual([]);
  });
});

describe("a crash in the middle of an erasure", () => {
  const steps: [string, "object" | "d1", RegExp][] = [
    ["before the request is stored", "d1", /insert into "payer_erasure_requests"/i],
    ["before its charges are in line", "d1", /insert into "payer_erasures"/i],
    ["before the object has erased", "object", /erasePayers/],
    ["before D1 has erased", "d1", /update "transactions"/i],
  ];

  it.each(
    steps.flatMap(([what, where, on]) =>
      (["before", "after"] as const).map((when) => [`${what} (${when})`, where, on, when] as const),
    ),
  )("%s is finished by the cron or by a repeated request", async (what, where, on, when) => {
    const { clock, company, deps } = await givenEchoedCompany();
    await givenMarkedCharges(company);
    const fault = injectFault({ on, when });
    const faulty = (where === "d1" ? withD1 : withAccounts)(env, fault.intercept);
    vi.spyOn(console, "error").mockImplementation(() => undefined);

    const answer = await erasePayer(company, MARKED_DOCUMENT, { deps, env: faulty });

    expect(fault.injections()).toBe(1);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    if (what.startsWith("before the request is stored (before)")) {
      await erasePayer(company, MARKED_DOCUMENT, { deps });
    }
    clock.advance(MINUTE_MS);
    await erasePayers(env, deps);
    expect(await marksLeft(company)).toEqual([]);
  });

  it("in one company delays no other company", async () => {
    const { clock, company, deps } = await givenEchoedCompany();
    const other = await givenCompany({ clock });
    for (const each of [company, other]) {
      await givenTransaction(each, MARKED_CARD, { deps });
      const fault = injectFault({ on: /erasePayers/, when: "before" });
      const faulty = withAccounts(env, fault.intercept);
      vi.spyOn(console, "error").mockImplementation(() => undefined);
      await erasePayer(each, MARKED_DOCUMENT, { deps, env: faulty });
    }
    const down = injectFault({ on: /erasePayers/, when: "before" });
    clock.advance(MINUTE_MS);
    await erasePayers(withAccounts(env, down.intercept), deps);
    expect(down.injections()).toBe(1);
    const left = [
      (await exportAll(company, MARKED_DOCUMENT, 20)).charges,
      (await exportAll(other, MARKED_DOCUMENT, 20)).charges,
    ];
    expect(left.map((charges) => charges.length).toSorted((one, two) => one - two)).toEqual([0, 1]);

    clock.advance(11 * MINUTE_MS);
    await erasePayers(env, deps);
    expect((await exportAll(company, MARKED_DOCUMENT, 20)).charges).toEqual([]);
    expect((await exportAll(other, MARKED_DOCUMENT, 20)).charges).toEqual([]);
  });
});

it("a payer of many charges is erased in bounded steps, the rest by the cron", async () => {
  const { clock, company, deps } = await givenEchoedCompany();
  const { seq: last } = await transactionRow(
    (await givenTransaction(company, MARKED_PIX, { deps })).id,
  );
  await env.DB.prepare(
    `WITH RECURSIVE n (seq) AS (SELECT ?1 + 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ?1 + 1200)
     INSERT INTO transactions (company_id, seq, id, lead_number, lead_count, lead_key, external_ref, amount,
       currency, payment_method, installments, postback_url, traceable, payer, items, provider, secure_random,
       created_at, status, version, updated_at, paid_amount, refunded_amount, request_hash, lease_until,
       answered_at, answered_status)
     SELECT company_id, n.seq, printf('%s-%d', id, n.seq), lead_number, lead_count, lead_key, '', amount,
       currency, payment_method, installments, '', 0, payer, items, provider, secure_random, created_at,
       'failed', 0, updated_at, 0, 0, '', 0, created_at, 'failed'
     FROM n CROSS JOIN transactions WHERE company_id = ?2 AND transactions.seq = ?1`,
  )
    .bind(last, company.id)
    .run();

  const { body } = await erasePayer(company, MARKED_DOCUMENT, { deps });
  expect(body.data).toMatchObject({ erased: 99, open: 1, status: "pending" });
  const count = () =>
    env.DB.prepare("SELECT count(*) AS n FROM transactions WHERE company_id = ? AND payer LIKE ?")
      .bind(company.id, `%${MARKED_DOCUMENT}%`)
      .first<number>("n");
  expect(await count()).toBe(1 + 1_200 - 99);

  const counts: (number | null)[] = [];
  for (let minute = 0; minute < 4; minute++) {
    clock.advance(MINUTE_MS);
    await erasePayers(env, deps);
    counts.push(await count());
  }
  expect(counts).toEqual([602, 102, 1, 1]);
});
