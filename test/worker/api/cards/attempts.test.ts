import { describe, expect, it } from "vitest";
import { createCard, NUMBERS, tokenize } from "../../../support/builders/charges/card.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { CARD_REQUEST, FULL_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { withAccounts } from "../../../support/faults/faulty-env.ts";
import { evict } from "../../../support/faults/object.ts";
import { captureConsole, dumpD1 } from "../../../support/probes/database/dumps.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const DECLINED = { number: NUMBERS.declined };
const HOUR = 60 * 60_000;

async function decline(company: TestCompany, times: number, deps = {}): Promise<void> {
  for (let attempt = 0; attempt < times; attempt++) {
    const { body } = await createCard(company, DECLINED, {}, { deps });
    expect(body.data.status).toBe("REFUSED");
    expect(body.message).toBe(`Transaction refused: ${body.data.refusedReason.message}`);
  }
}

describe("card testing", () => {
  it("CARD_ATTEMPTS_EXCEEDED: the eleventh declined attempt of a card is not sent, and nothing is kept", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    await decline(company, 10, { clock });
    const refused = await expectNoSideEffects(company, () =>
      createCard(company, DECLINED, {}, { deps: { platformClock: clock } }),
    );
    await expectProblem(refused, {
      status: 429,
      code: "CARD_ATTEMPTS_EXCEEDED",
      retryAfter: true,
    });
    await expectDocumented("POST /api/v1/transactions/create", refused);
    expect((await createCard(company, {}, {}, { deps: { platformClock: clock } })).status).toBe(
      200,
    );
    clock.advance(HOUR);
    await decline(company, 1, { clock });
  });

  it("RETRY_FORBIDDEN: no attempt is sent that the card's brand would charge for", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const attempt = () => createCard(company, DECLINED, {}, { deps: { platformClock: clock } });
    const first = await attempt();
    expect(first.body.data.refusedReason).toMatchObject({ attemptsLeft: 15 });
    await decline(company, 9, { clock });
    clock.advance(HOUR);
    await decline(company, 5, { clock });
    const last = await attempt();
    const retryNotBefore = new Date(clock.now() + 30 * 24 * HOUR - HOUR).toISOString();
    expect(last.body.data.refusedReason).toMatchObject({ attemptsLeft: 0, retryNotBefore });

    const refused = await expectNoSideEffects(company, attempt);

    const extensions = { attemptsLeft: 0, retryNotBefore };
    await expectProblem(refused, { status: 422, code: "RETRY_FORBIDDEN", extensions });
    await expectDocumented("POST /api/v1/transactions/create", refused);
    // Another amount is another sale.
    const other = await createCard(
      company,
      DECLINED,
      { amount: 777 },
      { deps: { platformClock: clock } },
    );
    expect(other.body.data.refusedReason).toMatchObject({ attemptsLeft: 15 });
  });

  it("is counted by card: its number in groups is the same, another company's is another", async () => {
    const [ours, theirs] = [await givenCompany(), await givenCompany()];
    await decline(ours, 10);
    const grouped = await createCard(ours, { number: "4000-0000 0000 0002" });
    expect(grouped.status).toBe(429);
    await decline(theirs, 1);
  });

  it("is counted by the card, whatever token stands for it: a new one for each try does not begin anew", async () => {
    const company = await givenCompany();
    const tryNewToken = async () => {
      const { body } = await tokenize(company, DECLINED);
      return createTransaction(company, { ...CARD_REQUEST, card: { token: body.token } });
    };
    for (let attempt = 0; attempt < 10; attempt++) expect((await tryNewToken()).status).toBe(200);
    await expectProblem(await tryNewToken(), {
      status: 429,
      code: "CARD_ATTEMPTS_EXCEEDED",
      retryAfter: true,
    });
    expect((await createCard(company, DECLINED)).status).toBe(429);
    expect((await createCard(company)).status).toBe(200);
  });

  it("a repeated request is replayed, also beyond the limit, and counts once", async () => {
    const company = await givenCompany();
    const repeat = () => createCard(company, DECLINED, {}, { key: "tx_1" });
    const first = await repeat();
    for (let again = 0; again < 12; again++) {
      expect((await repeat()).body.data.id).toBe(first.body.data.id);
    }
    await decline(company, 8);
    expect((await repeat()).headers.get("Idempotent-Replayed")).toBe("true");
    expect((await createCard(company, DECLINED, {}, { key: "tx_2" })).status).toBe(429);
    expect((await repeat()).body.data.id).toBe(first.body.data.id);
  });

  it("approved cards are never refused", async () => {
    const company = await givenCompany();
    for (let attempt = 0; attempt < 15; attempt++) {
      expect((await createCard(company)).status).toBe(200);
    }
  });

  it("is counted by a keyed hash: no table and no log has the number, and an eviction forgets nothing", async () => {
    const overheard = captureConsole();
    const company = await givenCompany();
    await decline(company, 10);
    expect((await createCard(company, DECLINED)).status).toBe(429);
    for (const place of [await dumpD1(), await dumpObject(company), overheard()]) {
      expect(place).not.toContain(NUMBERS.declined);
    }
    await evict(company);
    expect((await createCard(company, DECLINED)).status).toBe(429);
  });

  it("costs one call to the company's object, and none for other methods", async () => {
    const company = await givenCompany();
    const calls: string[] = [];
    const counted = withAccounts(env, (label, run) => {
      calls.push(label);
      return run();
    });
    await createCard(company, {}, {}, { env: counted });
    expect(calls.filter((label) => label === "admitCardAttempt")).toHaveLength(1);
    calls.length = 0;
    await createTransaction(company, FULL_REQUEST, { env: counted });
    expect(calls).not.toContain("admitCardAttempt");
  });
});
