import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { saoPauloDay } from "../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../src/domain/shared/calendar-day.ts";
import { fetchFromApp } from "../../support/builders/requests/app.ts";
import { call } from "../../support/builders/requests/api.ts";
import { givenApplication } from "../../support/builders/companies/application.ts";
import { givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { setScopes } from "../../support/builders/companies/credentials.ts";
import { givenPaid, givenTransaction } from "../../support/builders/charges/transaction.ts";
import { accountsOf } from "../../support/probes/ledger/ledger.ts";

type Credentials = TestCompany["credentials"];

/** The official client, whose requests go to the app in this isolate. */
async function connect(credentials: Credentials): Promise<Client> {
  const client = new Client({ name: "shop-assistant", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL("https://localhost/mcp"), {
    requestInit: { headers: { ...credentials } },
    fetch: (url, init) => fetchFromApp(new Request(url, init), {}),
  });
  await client.connect(transport);
  return client;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

/** Calls a tool; its answer, or why it was refused. */
async function ask(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content as { type: string; text: string }[];
  const text = first?.text ?? "";
  return { isError, text, answer: isError && !text.startsWith("{") ? text : JSON.parse(text) };
}

const LIMITS = { dailyLimit: 5_000, pixKeys: null, until: null };

async function givenShop() {
  const company = await givenCompany({ balance: 20_000 });
  const { credentials } = await givenApplication(company, { spendingLimits: LIMITS });
  return { company, client: await connect(credentials) };
}

it("needs the credentials of the API", async () => {
  const { status, body } = await call("/mcp", { method: "POST", body: {} });
  expect([status, body.code]).toEqual([401, "INVALID_CREDENTIALS"]);
});

it("shows the tools of the application's scopes, of its company's mode and its spending limits", async () => {
  const { client } = await givenShop();
  expect((await namesOf(client)).toSorted()).toEqual(
    [
      "create_charge",
      "find_charges",
      "explain_charge",
      "sandbox_pay",
      "create_subscription",
      "find_subscriptions",
      "explain_subscription",
      "pause_subscription",
      "resume_subscription",
      "preview_subscription_cancel",
      "cancel_subscription",
      "preview_refund",
      "refund_charge",
      "preview_withdraw",
      "request_withdraw",
      "get_balance",
      "daily_report",
      "fee_report",
      "find_payment",
      "find_disputes",
      "submit_evidence",
      "advance_clock",
      "search_docs",
    ].toSorted(),
  );
  const company = await givenCompany();
  await setScopes(company, ["balance:read"]);
  expect(await namesOf(await connect(company.credentials))).toEqual([
    "get_balance",
    "daily_report",
    "fee_report",
    "search_docs",
  ]);
  const unlimited = await connect((await givenCompany()).credentials);
  expect(await namesOf(unlimited)).not.toContain("request_withdraw");
});

it("makes a charge once for an intention, finds it, and explains it once it is paid", async () => {
  const { client } = await givenShop();
  const order = { amountCents: 2_500, externalRef: "pedido-77", key: "pedido-77" };
  const made = await ask(client, "create_charge", order);
  expect(made.answer).toMatchObject({
    status: "WAITING_PAYMENT",
    amount: { cents: 2_500, text: "R$ 25,00" },
    pixCode: expect.stringMatching(/^000201/),
  });
  expect((await ask(client, "create_charge", order)).answer.id).toBe(made.answer.id);
  const found = await ask(client, "find_charges", { externalRef: "pedido-77", status: "PENDING" });
  expect(found.answer.items).toMatchObject([{ id: made.answer.id, status: "PENDING" }]);
  await ask(client, "sandbox_pay", { id: made.answer.id });
  const explained = await ask(client, "explain_charge", { id: made.answer.id });
  expect(explained.answer).toMatchObject({ status: "PAID", paid: { cents: 2_500 } });
  expect(explained.answer.timeline.length).toBeGreaterThan(2);
  for (const { what } of explained.answer.timeline) expect(what).toMatch(/^\S.*\w/);
});

it("asks for a subscription once for an intention, pauses and resumes it, and ends it only as previewed", async () => {
  const { client } = await givenShop();
  const plan = {
    amountCents: 4_990,
    period: "MONTHLY",
    firstDueDate: addDays(saoPauloDay(Date.now()), 20),
    description: "Clube do livro",
    customer: { name: "Maria da Silva", document: "12345678909" },
    retryDays: [1, 3],
    key: "plan-77",
  };
  const made = await ask(client, "create_subscription", plan);
  expect(made.answer).toMatchObject({
    status: "pending_approval",
    amount: { cents: 4_990, text: "R$ 49,90" },
    retryDays: [1, 3],
  });
  const { id } = made.answer;
  expect((await ask(client, "create_subscription", plan)).answer.id).toBe(id);
  const late = { ...plan, firstDueDate: saoPauloDay(Date.now()), key: "plan-78" };
  const refused = await ask(client, "create_subscription", late);
  expect([refused.isError, refused.answer.source]).toEqual([
    true,
    expect.stringContaining("Celcoin"),
  ]);
  const found = await ask(client, "find_subscriptions", { status: "pending_approval" });
  expect(found.answer.items).toMatchObject([{ id, payer: "Maria da Silva" }]);
  const tooEarly = await ask(client, "pause_subscription", { id });
  expect([tooEarly.isError, tooEarly.answer.code]).toEqual([true, "INVALID_STATE"]);
  expect((await ask(client, "cancel_subscription", { id })).isError).toBe(true);
  const { previewId, nextDebits } = (await ask(client, "preview_subscription_cancel", { id }))
    .answer;
  expect(nextDebits).toHaveLength(3);
  const explained = await ask(client, "explain_subscription", { id });
  expect(explained.answer).toMatchObject({ status: "pending_approval", debits: [] });
  for (const _again of [1, 2]) {
    const ended = await ask(client, "cancel_subscription", { previewId });
    expect(ended.answer).toMatchObject({ id, status: "cancelled", nextDebits: [] });
  }
});

it("refunds only what a preview showed, and once", async () => {
  const { company, client } = await givenShop();
  const { id } = await givenPaid(company, 3_000);
  const preview = await ask(client, "preview_refund", { id, amountCents: 1_000 });
  expect(preview.answer).toMatchObject({ refund: { cents: 1_000 }, leftAfter: { cents: 2_000 } });
  expect((await accountsOf(company)).available).toBe(23_000);
  const { previewId } = preview.answer;
  expect((await ask(client, "refund_charge", { previewId })).isError).toBe(false);
  expect((await ask(client, "refund_charge", { previewId })).isError).toBe(false);
  expect((await accountsOf(company)).available).toBe(22_000);
  const tooMuch = await ask(client, "preview_refund", { id, amountCents: 2_001 });
  expect([tooMuch.isError, tooMuch.answer.code]).toEqual([true, "REFUND_EXCEEDS_PAID"]);
});

it("a preview is of its act and its application only", async () => {
  const { company, client } = await givenShop();
  const { id } = await givenPaid(company, 3_000);
  const { previewId } = (await ask(client, "preview_refund", { id })).answer;
  const other = await connect(company.credentials);
  for (const [asker, tool, sent] of [
    [client, "request_withdraw", previewId],
    [other, "refund_charge", previewId],
    [client, "refund_charge", `${previewId}x`],
    [client, "refund_charge", "made up"],
  ] as const) {
    const refused = await ask(asker, tool, { previewId: sent });
    expect([refused.isError, refused.answer.code]).toEqual([true, "VALIDATION_FAILED"]);
  }
  expect((await accountsOf(company)).available).toBe(23_000);
});

it("withdraws within the spending limits, once, and never without a preview", async () => {
  const { company, client } = await givenShop();
  const asked = { amountCents: 4_000, pixKey: "maria@example.com", pixKeyType: "EMAIL" };
  const preview = await ask(client, "preview_withdraw", asked);
  expect(preview.answer).toMatchObject({
    accepted: true,
    withdraw: { cents: 4_000, text: "R$ 40,00" },
    balanceBefore: { cents: 20_000 },
  });
  const { previewId } = preview.answer;
  const first = await ask(client, "request_withdraw", { previewId });
  const again = await ask(client, "request_withdraw", { previewId });
  expect([first.isError, again.answer.id]).toEqual([false, first.answer.id]);
  expect((await accountsOf(company)).available).toBe(16_000);
  const beyond = await ask(client, "preview_withdraw", { ...asked, amountCents: 2_000 });
  expect(beyond.answer).toMatchObject({ accepted: false, previewId: null });
  expect((await ask(client, "request_withdraw", asked)).isError).toBe(true);
});

it("tells the balance, the day's sums, and whether a payment arrived", async () => {
  const { company, client } = await givenShop();
  await givenPaid(company, 2_500);
  expect((await ask(client, "get_balance")).answer).toMatchObject({
    available: { cents: 22_500, text: "R$ 225,00" },
  });
  expect((await ask(client, "daily_report")).answer.days).toEqual(
    expect.arrayContaining([expect.objectContaining({ paymentMethod: "PIX" })]),
  );
  const today = saoPauloDay(Date.now());
  const { answer } = await ask(client, "find_charges", { paidFrom: today, paidTo: today });
  expect(answer.items[0].amount.cents).toBe(2_500);
  const before = { paidFrom: "2020-01-01", paidTo: "2020-01-02" };
  expect((await ask(client, "find_charges", before)).answer.items).toEqual([]);
  const at = answer.items[0].createdAt;
  const arrived = await ask(client, "find_payment", { amountCents: 2_500, at });
  expect(arrived.answer).toMatchObject({ arrived: true, payments: [{ amount: { cents: 2_500 } }] });
  const never = await ask(client, "find_payment", { amountCents: 2_501, at });
  expect(never.answer).toMatchObject({ arrived: false });
});

it("answers a dispute, and says why where there is none", async () => {
  const { company, client } = await givenShop();
  const { id } = await givenPaid(company, 2_500);
  const path = `/api/v1/sandbox/transactions/${id}/dispute`;
  await call(path, { method: "POST", company });
  const { items } = (await ask(client, "find_disputes", { status: "open" })).answer;
  expect(items).toMatchObject([
    { chargeId: id, reason: "MED_FRAUD", amount: { cents: 2_500 }, hasEvidence: false },
  ]);
  const [dispute] = items;
  const sent = { disputeId: dispute.id, text: "The customer got the goods." };
  expect((await ask(client, "submit_evidence", sent)).answer).toMatchObject({ id: dispute.id });
  const unknown = await ask(client, "submit_evidence", { ...sent, disputeId: "unknown" });
  expect([unknown.isError, unknown.answer.code]).toEqual([true, "NOT_FOUND"]);
});

it("lets a sandbox company's time pass, and says in words what became due", async () => {
  const { company, client } = await givenShop();
  const { id, pix } = await givenTransaction(company, { pix: { expiresInSeconds: 3_600 } });
  const { answer } = await ask(client, "advance_clock", { by: "P1D" });
  expect(answer.ran).toContainEqual({
    at: pix.expirationDate,
    what: "End of a charge's time",
    id,
  });
  expect(answer.hasMore).toBe(false);
  expect((await ask(client, "advance_clock", { to: answer.now })).answer.ran).toEqual([]);
  const back = await ask(client, "advance_clock", { to: "2020-01-01" });
  expect([back.isError, back.answer.code]).toEqual([true, "INVALID_STATE"]);
  const live = await connect((await givenCompany({ mode: "live" })).credentials);
  expect(await namesOf(live)).not.toContain("advance_clock");
});

it("another company's charge is refused as by the API", async () => {
  const { client } = await givenShop();
  const { id } = await givenTransaction(await givenCompany());
  for (const tool of ["explain_charge", "preview_refund", "sandbox_pay"]) {
    const { isError, answer } = await ask(client, tool, { id });
    expect([isError, answer.code]).toEqual([true, "FORBIDDEN"]);
  }
});

it("wrong arguments come back as an error that names the argument", async () => {
  const { client } = await givenShop();
  const wrong = await ask(client, "create_charge", { amountCents: 25.5, key: "a" });
  expect([wrong.isError, wrong.text]).toEqual([
    true,
    expect.stringContaining("amountCents: must be an integer"),
  ]);
  for (const [tool, given, says] of [
    ["create_charge", { amountCents: 2_500 }, "key: is required"],
    [
      "create_charge",
      { amountCents: 2_500, key: "a", paymentMethod: "CREDIT_CARD" },
      "paymentMethod: must be one of PIX, BOLETO",
    ],
    ["preview_withdraw", { amountCents: 500 }, "amountCents: must be at least 1000"],
  ] as const) {
    const { isError, text } = await ask(client, tool, given);
    expect([isError, text]).toEqual([true, expect.stringContaining(says)]);
  }
});

it("searches the reference, and has it as resources", async () => {
  const { client } = await givenShop();
  const { answer } = await ask(client, "search_docs", { query: "refund idempotency" });
  const texts = answer.found.slice(0, 2).map(({ text }: { text: string }) => text.toLowerCase());
  for (const text of texts) expect(text).toMatch(/refund[^]*idempotency|idempotency[^]*refund/);
  expect(
    (await ask(client, "search_docs", { query: "DAILY_LIMIT_EXCEEDED" })).answer.found[0],
  ).toMatchObject({ name: "DAILY_LIMIT_EXCEEDED" });
  const rare = await ask(client, "search_docs", { query: "pix expired" });
  expect(rare.answer.found[0].text).toMatch(/expired/i);
  const { resources } = await client.listResources();
  expect(resources.slice(0, 2).map(({ name }) => name)).toEqual(["openapi", "errors"]);
  const { contents } = await client.readResource({ uri: resources[0]!.uri });
  expect(JSON.parse((contents[0] as { text: string }).text).openapi).toMatch(/^3\.1/);
});

it("searches the guide, and has each page of it as a resource", async () => {
  const { client } = await givenShop();
  const { answer } = await ask(client, "search_docs", { query: "handler five rules verify" });
  expect(answer.found[0].name).toBe("Webhooks: A handler in five rules (/docs/webhooks.md)");
  const { resources } = await client.listResources();
  const page = resources.find(({ name }) => name === "/docs/first-charge.md");
  expect(page?.title).toBe("From the first charge to going live");
  const { contents } = await client.readResource({ uri: page!.uri });
  expect((contents[0] as { text: string }).text).toContain("## 2. Create a charge");
  await expect(
    client.readResource({ uri: page!.uri.replace("first-charge", "none") }),
  ).rejects.toThrow("does not exist");
});
