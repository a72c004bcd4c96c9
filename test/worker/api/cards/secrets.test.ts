import { afterEach, expect, it, vi } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import type { Dependencies } from "../../../../src/http/context.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { canonicalJson, sha256Hex } from "../../../../src/lib/hash.ts";
import type { Answer } from "../../../support/builders/requests/api.ts";
import { expectNoSecrets } from "../../../support/probes/charges/card-secrets.ts";
import { NUMBERS, tokenize } from "../../../support/builders/charges/card.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
} from "../../../support/builders/companies/company.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { dumpD1, captureConsole } from "../../../support/probes/database/dumps.ts";
import { CONNECTION_LOST, CRASH, injectFault, withD1 } from "../../../support/faults/faulty-env.ts";
import { CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { cancel, capture, refund, simulate } from "../../../support/builders/operations/refund.ts";
import { createTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Card numbers and CVVs that appear nowhere else, so that every match is a leak. */
const SECRETS = [
  { number: "4539148803436467", cvv: "937" },
  { number: "371449635398431", cvv: "9173" },
  ...Object.values(NUMBERS).map((number) => ({ number, cvv: "739" })),
];
const [VISA, AMEX] = SECRETS as [(typeof SECRETS)[number], (typeof SECRETS)[number]];
/** A number with a wrong check digit: it is rejected, and must not leak either. */
const INVALID = { number: "4539148803436460", cvv: "937" };
const POSTBACK = "https://loja.example.com/postback";

it("stores, logs, queues and responses contain no card number, no CVV and no hash of them after any card scenario", async () => {
  const overheard = captureConsole();
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  const providers = (around: typeof env) => providerRegistry(around, clock);
  const deps: Dependencies = { ...systemDependencies, platformClock: clock, providers };
  const answers: Answer[] = [];
  const requests: object[] = [];
  const recordAnswer = (answer: Answer): Answer => {
    answers.push(answer);
    return answer;
  };
  const create = async (
    card: object,
    { rest = {}, ...options }: { key?: string; env?: typeof env; rest?: object } = {},
  ) => {
    const body = { ...CARD_REQUEST, card: { ...CARD_REQUEST.card, ...card }, ...rest };
    requests.push(body, body.card);
    return recordAnswer(await createTransaction(company, body, { deps, ...options }));
  };
  const id = async (card: object) => (await create(card)).body.data.id as string;

  // Every test number, raw and by token; each key again with the same and another body.
  for (const { number, cvv } of SECRETS) {
    const key = `tx_${number.slice(-4)}`;
    expect((await create({ number, cvv }, { key })).status).toBe(200);
    const { body } = recordAnswer(await tokenize(company, { number, cvv }, { deps }));
    const token = { ...CARD_REQUEST, card: { token: body.token } };
    expect(recordAnswer(await createTransaction(company, token, { deps })).status).toBe(200);
  }
  const key = "tx_6467";
  expect((await create(VISA, { key })).headers.get("Idempotent-Replayed")).toBe("true");
  expect((await create(VISA, { key, rest: { amount: 7 } })).status).toBe(409);
  // Every operation on an existing charge.
  const spaced = { number: "4539 1488-0343 6467", cvv: VISA.cvv };
  const announced = await create(spaced, { rest: { postbackUrl: POSTBACK } });
  const paid = announced.body.data.id;
  recordAnswer(await refund(company, paid, 1_000));
  recordAnswer(await simulate(company, paid, "chargeback"));
  const captured = await id({ ...AMEX, capture: false });
  recordAnswer(await capture(company, captured, 1_200));
  recordAnswer(await cancel(company, await id({ ...VISA, capture: false })));
  recordAnswer(await simulate(company, await id({ ...VISA, capture: false }), "expire"));
  recordAnswer(await pay(company, await id({ number: NUMBERS.unanswered, cvv: VISA.cvv })));
  recordAnswer(
    await simulate(company, await id({ number: NUMBERS.unanswered, cvv: VISA.cvv }), "fail"),
  );
  // Rejected requests and requests of another method.
  for (const wrong of [INVALID, { ...VISA, cvv: AMEX.cvv }, { ...VISA, expirationYear: 2020 }]) {
    expect((await create(wrong)).status).toBe(400);
    expect(recordAnswer(await tokenize(company, wrong, { deps })).status).toBe(400);
  }
  expect((await create({ ...VISA, token: "tok_1" })).status).toBe(400);
  expect((await create(VISA, { rest: { installments: 13 } })).status).toBe(422);
  const otherMethods = [{ paymentMethod: "PIX" }, { paymentMethod: "BOLETO" }];
  for (const rest of otherMethods) expect((await create(VISA, { rest })).status).toBe(200);
  // A storage failure in the middle writes to the log.
  for (const on of [/insert into "transactions"/, /insert into "sandbox_card_charges"/]) {
    for (const error of [CRASH, CONNECTION_LOST]) {
      const down = injectFault({ on, when: "before", error, times: Number.POSITIVE_INFINITY });
      recordAnswer(await create(VISA, { env: withD1(env, down.intercept) }));
      expect(down.injections()).toBeGreaterThan(0);
    }
  }
  clock.advance(20 * 60_000);
  const swept = await runCron(deps);
  await waitUntilDrained(company);
  const sink = new WebhookSink(clock).respondWith(500);
  await sink.deliverAll(company);

  const places = {
    d1: await dumpD1(),
    object: await dumpObject(company),
    log: overheard(),
    queue: JSON.stringify([notifier.deliveryIds, notifier.withdrawIds, swept]),
    sent: JSON.stringify(sink.received.map(({ headers, rawBody }) => [headers, rawBody])),
    answers: JSON.stringify(answers.map(({ text, headers }) => [text, [...headers]])),
  };
  // The dumps must contain these scenarios, or they would prove nothing.
  for (const place of [places.d1, places.object, places.answers]) {
    expect(place).toContain("453914");
    expect(place).toContain("8431");
  }
  expect(places.sent).toContain("453914");
  expect(places.d1).toContain("CARD_DECLINED");
  expect(places.log).toContain(company.clientId);
  expect(notifier.deliveryIds.length).toBeGreaterThan(0);
  expectNoSecrets(places, [...SECRETS, INVALID], requests);
});

it("the test's search finds a number, a part of a number, a CVV and a hash, and ignores allowed fields", async () => {
  const request = { card: VISA };
  const found = (text: string): boolean => {
    try {
      expectNoSecrets({ here: text }, [VISA], [request]);
      return false;
    } catch {
      return true;
    }
  };
  for (const leak of [
    VISA.number,
    String.raw`{\"holder\":\"4539 1488-0343 6467\"}`,
    '{"first":"4539148"}',
    '{"last":"3436467"}',
    '{"code":"937"}',
    '{"cvv":"***"}',
    await sha256Hex(VISA.number),
    await sha256Hex("4539 1488 0343 6467"),
    await sha256Hex(canonicalJson(request)),
  ]) {
    expect(found(leak), leak).toBe(true);
  }
  expect(found('{"firstDigits":"453914","lastDigits":"6467","durationMs":937}')).toBe(false);
});
