import { beforeAll, describe, expect, it } from "vitest";
import { projectionWriter } from "../../../../../src/db/projection/projection-writer.ts";
import {
  ageRows,
  archiveAll,
  filesOf,
  runRowArchive,
  withoutFiles,
} from "../../../../support/builders/companies/archived-rows.ts";
import { MARKED_PIX } from "../../../../support/builders/charges/marked-payer.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import {
  configureObject,
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
} from "../../../../support/builders/companies/sharded.ts";
import { visit } from "../../../../support/builders/console/visit.ts";
import { refund, simulate } from "../../../../support/builders/operations/refund.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { resendAllPages } from "../../../../support/builders/webhooks/resend-range.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { emptyD1, reconcile, restore } from "../../../../support/faults/restore.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { storedEventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

beforeAll(givenSecondDatabase);

/** A company with a paid charge that has left D1, and what it showed before. */
async function givenArchivedCharge() {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/hook" });
  const { id, secureId } = await givenTransaction(company, { ...MARKED_PIX, postbackUrl: "" });
  await pay(company, id);
  await waitUntilDrained(company);
  const events = await storedEventsOf(company);
  await archiveAll(company);
  return { company, clock, id, secureId, events };
}

const current = async (company: TestCompany, id: string, from = env) =>
  (await call(`/api/v1/transactions/${id}`, { company, env: from })).body.data;

const newestEvent = async (company: TestCompany) =>
  JSON.parse((await storedEventsOf(company)).at(-1)!.body);

function row(id: string) {
  return env.DB.prepare("SELECT * FROM transactions WHERE id = ?").bind(id).first<any>();
}

describe("a charge that has left D1", () => {
  it("is refunded and disputed late: events have its texts, its file stays", async () => {
    const { company, id } = await givenArchivedCharge();
    const file = (await row(id)).archive_file;

    expect((await refund(company, id, 100)).status).toBe(200);
    await waitUntilDrained(company);
    const { data } = await newestEvent(company);
    expect(data).toMatchObject({ archived: true, metadata: MARKED_PIX.metadata });
    expect(data.pix.qrcode).toMatch(/^000201/);

    await simulate(company, id, "dispute");
    await waitUntilDrained(company);
    expect(await row(id)).toMatchObject({ archive_file: file, items: "[]" });
    expect(await current(company, id)).toMatchObject({
      dispute: { status: "OPEN" },
      refundedAmount: 100,
      items: MARKED_PIX.items,
      shipping: { address: { street: "Rua Marcada" } },
    });
    expect(await reconcile(company)).toEqual([]);
  });

  it("STORAGE_UNAVAILABLE: a refund while the archive cannot be read, and no money moves", async () => {
    const { company, id } = await givenArchivedCharge();
    const answer = await refund(company, id, 100, { env: withoutFiles() });
    await expectProblem(answer, { status: 503, code: "STORAGE_UNAVAILABLE" });
    expect(answer.headers.get("Retry-After")).not.toBeNull();
    expect(await current(company, id)).toMatchObject({ refundedAmount: 0 });
  });

  it("holds back the outbox for two minutes while the archive cannot be read", async () => {
    const { company, clock, id } = await givenArchivedCharge();
    await configureObject(company.id, { projection: projectionWriter(withoutFiles()) });
    await simulate(company, id, "dispute");
    const count = (await storedEventsOf(company)).length;
    clock.advance(100_000);
    await waitUntilDrained(company);
    expect(await storedEventsOf(company)).toHaveLength(count);
    clock.advance(100_000);
    await waitUntilDrained(company);
    expect((await newestEvent(company)).data).toMatchObject({
      dispute: { status: "OPEN" },
      textsMissing: true,
      metadata: null,
    });
  });

  it("is the same in D1 and the object, and a mend leaves its texts in the archive", async () => {
    const { company, id } = await givenArchivedCharge();
    expect(await reconcile(company)).toEqual([]);
    await env.DB.prepare("UPDATE transactions SET paid_amount = 1 WHERE id = ?").bind(id).run();
    expect(await reconcile(company)).not.toEqual([]);
    await reconcile(company, true);
    expect(await reconcile(company)).toEqual([]);
    expect(await row(id)).toMatchObject({ paid_amount: 12_345, items: "[]" });
    expect(await current(company, id)).toMatchObject({ items: MARKED_PIX.items });
  });

  it("moves to another database with its company", async () => {
    const { company, id } = await givenArchivedCharge();
    const before = await current(company, id);
    const isolate = newIsolate();
    await useShards(company, isolate);
    await moveTo(isolate, company, "DB_2");
    expect(await current(company, id, isolate)).toEqual(before);
    const files = await filesOf(company, "transactions");
    await runRowArchive(company, isolate);
    expect(await filesOf(company, "transactions")).toEqual(files);
  });

  it("comes back with a restore of D1 as it was", async () => {
    const { company, id } = await givenArchivedCharge();
    await refund(company, id, 100);
    await waitUntilDrained(company);
    const before = await current(company, id);
    await emptyD1(company);
    expect(await restore(company)).toMatchObject({ refused: [] });
    expect((await current(company, id)).items).toEqual(before.items);
    expect(await reconcile(company)).toEqual([]);
  });

  it("has its receipt, its payer's page and its page in the console", async () => {
    const { company, id, secureId } = await givenArchivedCharge();
    const receipt = await call(`/api/v1/transactions/${id}/receipt`, { company });
    expect(receipt.status).toBe(200);
    expect(JSON.stringify(receipt.body)).toContain(MARKED_PIX.customer.name);
    const { html } = await visit(company, `/console/payments/${id}`, { language: "en" });
    expect(html).toContain("Old charge: its texts are in the archive.");
    expect(html).toContain(MARKED_PIX.items[0].title);
    for (const from of [env, withoutFiles()]) {
      const page = await call(`/checkout/${secureId}`, { env: from });
      expect(page.status).toBe(200);
      expect((await call(`/r/${secureId}`, { env: from })).status).toBe(200);
    }
  });
});

describe("an event that has left D1", () => {
  it("is read and resent as it was, to the byte", async () => {
    const { company, clock, events } = await givenArchivedCharge();
    const shown = await call("/api/v1/events", { company });
    expect(shown.body.items).toMatchObject(
      events.map(({ body }) => ({ archived: true, data: JSON.parse(body).data })),
    );
    const one = await call(`/api/v1/events/evt_${company.id}_1`, { company });
    expect(one.body).toMatchObject({ archived: true, data: JSON.parse(events[0]!.body).data });

    const sink = new WebhookSink(clock);
    const range = { from: "2020-01-01", to: "2099-01-01", status: ["delivered"] };
    await resendAllPages(company, range, { clock });
    await sink.deliverAll(company);
    expect(sink.received.map(({ rawBody }) => rawBody)).toEqual([events.at(-1)!.body]);
  });

  it("waits while the archive cannot be read, and goes out afterwards", async () => {
    const { company, clock, events } = await givenArchivedCharge();
    const sink = new WebhookSink(clock);
    const range = { from: "2020-01-01", to: "2099-01-01", status: ["delivered"] };
    await resendAllPages(company, range, { clock });
    await sink.deliverAll(company, withoutFiles());
    expect(sink.received).toEqual([]);
    clock.advance(6_000);
    await sink.deliverAll(company);
    expect(sink.received.map(({ rawBody }) => rawBody)).toEqual([events.at(-1)!.body]);
  });

  it("is found by what received it", async () => {
    const { company, events, id } = await givenArchivedCharge();
    await ageRows(company);
    const timeline = await call(`/api/v1/transactions/${id}/timeline`, { company });
    expect(
      timeline.body.items.filter(({ kind }: { kind: string }) => kind === "event"),
    ).toHaveLength(events.length);
  });
});
