import { afterEach, expect, it, vi } from "vitest";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { givenWithdrawEvents } from "../../../support/builders/withdraws/withdraw-events.ts";

const KIB = 1_024;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets a test say when the receiver's 15 s are over. */
function timeLimit(): { expire: () => void; limitsMs: number[] } {
  const limitsMs: number[] = [];
  const controllers: AbortController[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    limitsMs.push(ms);
    const controller = new AbortController();
    controllers.push(controller);
    return controller.signal;
  });
  const expire = () => {
    for (const each of controllers) each.abort(new DOMException("too slow", "TimeoutError"));
  };
  return { expire, limitsMs };
}

/** An answer whose body goes on for as long as it is read. */
function endless(): { response: Response; sentBytes: () => number; cancelled: () => boolean } {
  let sent = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += KIB;
      controller.enqueue(new Uint8Array(KIB).fill(97));
    },
    cancel: () => void (cancelled = true),
  });
  const response = new Response(body, { status: 200 });
  return { response, sentBytes: () => sent, cancelled: () => cancelled };
}

it("a receiver without a response within 15 s fails and is retried later", async () => {
  const { company, sink, createEvent, deliver } = await givenWithdrawEvents();
  const limit = timeLimit();
  await createEvent();
  sink.respond = (_request, init) =>
    new Promise((_resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      limit.expire();
    });

  await deliver();

  expect(limit.limitsMs).toEqual([15_000]);
  expect((await attemptsOf(company)).at(-1)).toMatchObject({ httpStatus: null, fault: "timeout" });
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "pending", attempts: 1 });
});

it("a 200 whose body does not end within 15 s is a failure", async () => {
  const { company, sink, createEvent, deliver } = await givenWithdrawEvents();
  const limit = timeLimit();
  await createEvent();
  const pull = () => {
    limit.expire();
    return new Promise<void>(() => undefined);
  };
  sink.respond = () => {
    // Nothing is read before it is asked for.
    const neverEnding = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    return new Response(neverEnding, { status: 200 });
  };

  await deliver();

  expect((await attemptsOf(company)).at(-1)).toMatchObject({ httpStatus: null, fault: "timeout" });
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "pending" });
});

it("of a long response, 64 KiB are read and 1 KiB is stored", async () => {
  const { company, sink, createEvent, deliver } = await givenWithdrawEvents();
  const answer = endless();
  sink.respond = () => answer.response;
  await createEvent();

  await deliver();

  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "delivered" });
  expect((await attemptsOf(company)).at(-1)?.answer).toBe("a".repeat(KIB));
  expect(answer.sentBytes()).toBeGreaterThanOrEqual(64 * KIB);
  expect(answer.sentBytes()).toBeLessThanOrEqual(66 * KIB);
  expect(answer.cancelled()).toBe(true);
});

it("a short response is stored without characters that a database cannot hold", async () => {
  const { company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respond = () => new Response("não\0 agora", { status: 500 });
  await createEvent();

  await deliver();

  expect((await attemptsOf(company)).at(-1)).toMatchObject({
    httpStatus: 500,
    answer: "não agora",
  });
});
