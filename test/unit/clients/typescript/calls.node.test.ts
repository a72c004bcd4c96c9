import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  ApiError,
  CentavoError,
  ConnectionError,
  IgnoredFieldsError,
  TimeoutError,
} from "../../../../clients/typescript/src/index.ts";
import { clientOf, problem } from "./fake-service.ts";

const CHARGE = { amount: 2_500, paymentMethod: "PIX" } as const;
const MADE = { data: { id: "1", status: "WAITING_PAYMENT" }, status: 200, message: "" };
const BALANCE = { data: { availableCents: 15_025 } };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a call ends with, once all that it waits for has passed. */
async function ended<Result>(call: Promise<Result>): Promise<Result> {
  const settled = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await vi.runAllTimersAsync();
  const end = await settled;
  if ("error" in end) throw end.error;
  return end.value;
}

/** The error that a call ends with. */
async function failed(call: Promise<unknown>): Promise<unknown> {
  return ended(call).then(
    () => {
      throw new Error("the call did not fail");
    },
    (error: unknown) => error,
  );
}

const keysOf = (sent: Request[]) => sent.map(({ headers }) => headers.get("Idempotency-Key"));

test("a call sends the credentials, its body and a key to the operation's address", async () => {
  const { centavo, sent } = clientOf([Response.json(MADE)]);
  const made = await ended(centavo.transactions.create(CHARGE));
  expect(made).toEqual(MADE.data);
  const [request] = sent as [Request];
  expect([request.method, request.url]).toEqual([
    "POST",
    "https://pay.example.com/api/v1/transactions/create",
  ]);
  expect(request.headers.get("X-Client-Id")).toBe("app_loja");
  expect(request.headers.get("X-API-Key")).toBe("sk_live_loja");
  expect(request.headers.get("Idempotency-Key")).toMatch(/^ts_[0-9a-f-]{36}$/);
  expect(await request.json()).toEqual(CHARGE);
});

test.each(["", "sk_live_a\nb", "sk_live_a…"])(
  "an API key that no header takes is refused at once, and not shown",
  (apiKey) => {
    const made = () => clientOf([], { apiKey });
    expect(made).toThrow(CentavoError);
    expect(made).not.toThrow(/sk_live/);
  },
);

test("an id stands in the address as a text, whatever it has in it", async () => {
  const { centavo, sent } = clientOf([Response.json({ data: {} })]);
  await ended(centavo.disputes.get("E1/2:D 1"));
  expect(sent[0]?.url).toBe("https://pay.example.com/api/v1/disputes/E1%2F2%3AD%201");
});

test.each(["", ".", ".."])("%o is no id, and leads to no other operation", async (id) => {
  const { centavo, sent } = clientOf([Response.json({ data: {} })]);
  expect(await failed(centavo.transactions.cancel(id))).toBeInstanceOf(CentavoError);
  expect(sent).toEqual([]);
});

test("a call is repeated with the same key until the service answers, another call has its own", async () => {
  const { centavo, sent } = clientOf([
    new TypeError("connection lost"),
    problem(503, { code: "STORAGE_UNAVAILABLE" }),
    problem(409, { code: "IDEMPOTENCY_IN_PROGRESS" }),
    Response.json(MADE),
    Response.json(MADE),
  ]);
  await ended(centavo.transactions.refund("1", { amount: 500 }));
  await ended(centavo.transactions.refund("1", { amount: 500 }));
  const keys = keysOf(sent);
  expect(new Set(keys.slice(0, 4)).size).toBe(1);
  expect(keys[4]).not.toBe(keys[0]);
});

test("a move of the clock counts from its time, waits for another, and goes on while there is more", async () => {
  const now = "2026-11-24T12:00:00.000Z";
  const moved = (id: string, hasMore: boolean) =>
    Response.json({
      data: { now, moved: true, until: null, ran: [{ at: now, kind: "release", id }], hasMore },
    });
  const before = Response.json({ data: { now: "2026-11-21T12:00:00.000Z", moved: false } });
  const busy = problem(
    409,
    { code: "INVALID_STATE", reason: "clock_runs" },
    { "Retry-After": "5" },
  );
  const { centavo, sent } = clientOf([before, moved("1", true), busy, moved("2", false)]);
  const all = await ended(centavo.sandbox.advance("P3D"));
  expect([all.ran.map(({ id }) => id), all.hasMore]).toEqual([["1", "2"], false]);
  expect(await Promise.all(sent.slice(1).map((request) => request.json()))).toEqual([
    { advance: "P3D", from: "2026-11-21T12:00:00.000Z" },
    { set: now },
    { set: now },
  ]);
  const endless = clientOf(Array.from({ length: 100 }, () => moved("1", true)));
  expect((await ended(endless.centavo.sandbox.setClock(now))).hasMore).toBe(true);
  expect(endless.sent).toHaveLength(100);
});

test("the caller's own key is the one that is sent", async () => {
  const { centavo, sent } = clientOf([Response.json(MADE)]);
  await ended(centavo.transactions.create(CHARGE, { idempotencyKey: "pedido-1001" }));
  expect(keysOf(sent)).toEqual(["pedido-1001"]);
});

test("a read has no key", async () => {
  const { centavo, sent } = clientOf([Response.json(BALANCE)]);
  expect(await ended(centavo.balance())).toEqual(BALANCE.data);
  expect(keysOf(sent)).toEqual([null]);
  expect(sent[0]?.url).toBe("https://pay.example.com/api/v1/balance?currency=BRL");
});

test("Retry-After is waited for", async () => {
  const { centavo, sent } = clientOf([
    problem(429, { code: "TOO_MANY_REQUESTS" }, { "Retry-After": "7" }),
    Response.json(BALANCE),
  ]);
  const call = centavo.balance();
  await vi.advanceTimersByTimeAsync(6_900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await call).toEqual(BALANCE.data);
});

test("a wait of hours is the caller's: the error says how long", async () => {
  const { centavo, sent } = clientOf([
    problem(429, { code: "TOO_MANY_REQUESTS" }, { "Retry-After": "7200" }),
  ]);
  expect(await failed(centavo.balance())).toMatchObject({
    retryable: true,
    retryAfterMs: 7_200_000,
  });
  expect(sent).toHaveLength(1);
});

test("a refusal is not repeated, and says its code, fields and sentence", async () => {
  const errors = { amount: ["must be an integer number of centavos"] };
  const { centavo, sent } = clientOf([
    problem(400, { code: "VALIDATION_FAILED", detail: "Invalid fields: amount.", errors }),
  ]);
  const error = await failed(centavo.transactions.create(CHARGE));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    name: "ApiError",
    status: 400,
    code: "VALIDATION_FAILED",
    retryable: false,
    problem: { errors },
    message:
      "VALIDATION_FAILED: Invalid fields: amount. amount must be an integer number of centavos",
  });
  expect(sent).toHaveLength(1);
});

const badGateway = () => new Response("<h1>Bad gateway</h1>", { status: 502 });

test("an answer that is no problem, as of a proxy, is an error without a code", async () => {
  const { centavo } = clientOf([badGateway(), badGateway()], { retries: 1 });
  expect(await failed(centavo.balance())).toMatchObject({ code: null, status: 502 });
});

test("a withdraw without any PIX key says so", async () => {
  const { centavo } = clientOf([Response.json({ message: "No PIX key." }, { status: 400 })]);
  expect(await failed(centavo.withdraws.request({ amount: 1_000 }))).toMatchObject({
    code: null,
    message: "No PIX key.",
  });
});

test("a redirect is not followed with the credentials", async () => {
  const { centavo, sent } = clientOf([Response.redirect("https://elsewhere.example.com/")]);
  expect(await failed(centavo.balance())).toMatchObject({ status: 302, retryable: false });
  expect(sent.map(({ redirect }) => redirect)).toEqual(["manual"]);
});

test("without any answer the error has the key to ask again with", async () => {
  const lost = new TypeError("connection lost");
  const { centavo, sent } = clientOf([lost, lost], { retries: 1 });
  const error = await failed(centavo.transactions.create(CHARGE));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ retryable: true, cause: lost, idempotencyKey: keysOf(sent)[0] });
});

test("an attempt that takes too long is given up", async () => {
  const { centavo } = clientOf(["silence"], { retries: 0, timeoutMs: 20 });
  const error = await centavo.balance().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TimeoutError);
});

test("the caller's signal ends a call, also while it waits, with its own reason", async () => {
  const reason = new Error("the server shuts down");
  const controller = new AbortController();
  const { centavo, sent } = clientOf([problem(503, {}, { "Retry-After": "30" })]);
  const call = centavo.balance({ signal: controller.signal }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  controller.abort(reason);
  expect(await call).toBe(reason);
  expect(sent).toHaveLength(1);
});

const ignoring = () =>
  Response.json(MADE, { headers: { "Centavo-Ignored": "orderCode, customer.nick" } });

test("with a key of a test environment an ignored field throws, and tells what was done", async () => {
  const { centavo } = clientOf([ignoring()], { apiKey: "sk_test_loja" });
  const error = await failed(centavo.transactions.create(CHARGE));
  expect(error).toBeInstanceOf(IgnoredFieldsError);
  expect(error).toMatchObject({ fields: ["orderCode", "customer.nick"], answer: MADE });
});

test("with a real key it does not, unless asked for", async () => {
  const { centavo } = clientOf([ignoring()]);
  expect(await ended(centavo.transactions.create(CHARGE))).toEqual(MADE.data);
  const strict = clientOf([ignoring()], { throwOnIgnored: true });
  expect(await failed(strict.centavo.transactions.create(CHARGE))).toBeInstanceOf(
    IgnoredFieldsError,
  );
});

test("a dry run has its own address, a confirmed duplicate names the earlier withdraw", async () => {
  const { centavo, sent } = clientOf([
    Response.json({ accepted: true }),
    Response.json({ id: 42 }, { status: 201 }),
  ]);
  const asked = { amount: 1_000, pixKey: "maria@example.com" };
  expect(await ended(centavo.withdraws.dryRun(asked))).toEqual({ accepted: true });
  expect(await ended(centavo.withdraws.request(asked, { confirmedDuplicate: 41 }))).toEqual({
    id: 42,
  });
  expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([
    "/api/v1/withdraws/preview",
    "/api/Withdraw/request",
  ]);
  expect(sent.map(({ headers }) => headers.get("X-Confirm-Duplicate"))).toEqual([null, "41"]);
});

test("an answer that is no JSON keeps the key, which tells what became of the call", async () => {
  const { centavo, sent } = clientOf([new Response("<p>Welcome</p>"), Response.json(MADE)]);
  const error = await failed(centavo.transactions.create(CHARGE));
  expect(error).toBeInstanceOf(ConnectionError);
  const { idempotencyKey, message } = error as ConnectionError;
  expect(message).toBe("https://pay.example.com does not answer like a Centavo service.");
  await ended(centavo.transactions.create(CHARGE, { idempotencyKey: idempotencyKey ?? "" }));
  const keys = sent.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys).toEqual([idempotencyKey, idempotencyKey]);
});
