import { describe, expect, test } from "vitest";
import { CardAttempts } from "../../../../src/company/charges/card-attempts.ts";
import type { DeclineStore } from "../../../../src/company/charges/decline-store.ts";
import type { CardPayer } from "../../../../src/domain/cards/card-payer.ts";

const HOUR = 60 * 60_000;
const MINUTE = 60_000;

const API: CardPayer = { source: "api", address: null };
/** Of a brand without rules about retries. */
const DECIDED = { amount: 2_500, brand: "unknown", refusal: { code: null, advice: null } };
const payerAt = (address: string): CardPayer => ({ source: "link", address });

/** Declines in memory; `worker/api/cards/attempts.test.ts` has those of the object's tables. */
function declinesInMemory(): Pick<DeclineStore, "add" | "timesOf" | "ofCard"> {
  const all: (Parameters<DeclineStore["add"]>[0] & { at: number })[] = [];
  return {
    add: (decline, at) => void all.push({ ...decline, at }),
    timesOf: (by, { source, value }, from, limit) =>
      all
        .filter((each) => each.source === source && each[by] === value && each.at > from)
        .map(({ at }) => at)
        .toReversed()
        .slice(0, limit),
    ofCard: (card, from, limit) =>
      all
        .filter((each) => each.card === card && each.at > from)
        .toReversed()
        .slice(0, limit),
  };
}

/** Attempts by number of the charge, each decided or left open. */
function given() {
  const attempts = new CardAttempts(declinesInMemory());
  let charges = 0;
  const admit = (
    card: string | null,
    now: number,
    attempt?: string,
    by: CardPayer & { payer?: string } = API,
  ) => {
    charges += 1;
    const transactionId = `t${charges}`;
    const command = {
      transactionId,
      attempt: attempt ?? transactionId,
      amount: 2_500,
      card,
      payer: null,
      ...by,
    };
    const answer = attempts.admit(command, now);
    return { transactionId, kind: answer.kind, answer };
  };
  const decide = (
    transactionId: string,
    outcome: "approved" | "declined",
    now: number,
    { card = null, payer = API }: { card?: string | null; payer?: CardPayer } = {},
  ) => attempts.decided({ transactionId, outcome, card, ...DECIDED, ...payer }, now);
  const run = (card: string, outcome: "approved" | "declined", now: number, payer = API) => {
    const { transactionId, kind } = admit(card, now, undefined, payer);
    if (kind === "admitted") decide(transactionId, outcome, now, { card, payer });
    return kind;
  };
  return { admit, decide, run };
}

describe("a card", () => {
  test("is refused after ten declined attempts within an hour, and admitted when the first is an hour old", () => {
    const { admit, run } = given();
    for (let at = 0; at < 10; at++) expect(run("4242", "declined", at * MINUTE)).toBe("admitted");
    const refused = admit("4242", 10 * MINUTE);
    expect(refused.answer).toEqual({ kind: "exceeded", scope: "card", retryAt: HOUR });
    expect(admit("5555", 10 * MINUTE).kind).toBe("admitted");
    expect(admit("4242", HOUR - 1).kind).toBe("exceeded");
    expect(admit("4242", HOUR).kind).toBe("admitted");
  });

  test("may be approved any number of times", () => {
    const { run } = given();
    for (let at = 0; at < 1_000; at++) expect(run("4242", "approved", at)).toBe("admitted");
  });

  test("is refused beside ten attempts in flight, until they have an outcome or a minute has passed", () => {
    const { admit, decide } = given();
    const sent = Array.from({ length: 10 }, () => admit("4242", 0));
    expect(admit("4242", 0).answer).toEqual({ kind: "exceeded", scope: "card", retryAt: MINUTE });
    decide(sent[0]!.transactionId, "approved", 1);
    expect(admit("4242", 1).kind).toBe("admitted");
    expect(admit("4242", 2).kind).toBe("exceeded");
    expect(admit("4242", MINUTE).kind).toBe("admitted");
  });

  test("counts a repeated request once", () => {
    const { admit } = given();
    for (let at = 0; at < 50; at++) expect(admit("4242", at, "tx_1").kind).toBe("admitted");
    expect(admit("4242", 50, "tx_2").kind).toBe("admitted");
  });

  test("admits the repeat of the tenth request in flight, and no eleventh", () => {
    const { admit } = given();
    for (let at = 1; at <= 10; at++) admit("4242", 0, `tx_${at}`);
    expect(admit("4242", 1, "tx_10").kind).toBe("admitted");
    expect(admit("4242", 1, "tx_11").kind).toBe("exceeded");
  });

  test("is counted as it was sent where the acquirer's decision does not name it", () => {
    const { admit, decide } = given();
    for (let at = 0; at < 10; at++) decide(admit("4242", at).transactionId, "declined", at);
    expect(admit("4242", 10).answer).toMatchObject({ kind: "exceeded", scope: "card" });
  });
});

describe("a token that its provider says nothing of", () => {
  test("is counted once the acquirer has named the card, and then no other token passes for it", () => {
    const { admit, decide } = given();
    for (let at = 0; at < 10; at++) {
      const { transactionId, kind } = admit(null, at);
      expect(kind).toBe("admitted");
      decide(transactionId, "declined", at, { card: "4242" });
    }
    expect(admit("4242", 10).kind).toBe("exceeded");
  });

  test("is counted by who is to pay, however many cards that payer has", () => {
    const { admit, decide } = given();
    const payer = { ...API, payer: "one" };
    for (let at = 0; at < 10; at++) {
      const { transactionId } = admit(null, at, undefined, payer);
      decide(transactionId, "declined", at, { card: `card ${at}` });
    }
    expect(admit(null, 10, undefined, payer).answer).toMatchObject({ scope: "payer" });
    expect(admit(null, 10, undefined, { ...API, payer: "two" }).kind).toBe("admitted");
  });
});

describe("a link", () => {
  test("refuses an address after ten declines of any cards, and no other address", () => {
    const { admit, run } = given();
    const tester = payerAt("one");
    for (let at = 0; at < 10; at++)
      expect(run(`card ${at}`, "declined", at * MINUTE, tester)).toBe("admitted");
    expect(admit("another", 10 * MINUTE, undefined, tester).answer).toEqual({
      kind: "exceeded",
      scope: "address",
      retryAt: HOUR,
    });
    expect(admit("another", 10 * MINUTE, undefined, payerAt("two")).kind).toBe("admitted");
    expect(admit("another", HOUR, undefined, tester).kind).toBe("admitted");
  });

  test("counts the address that an attempt was sent from where the decision has none", () => {
    const { admit, decide } = given();
    const tester = payerAt("one");
    const unknown: CardPayer = { source: "link", address: null };
    for (let at = 0; at < 10; at++) {
      const { transactionId } = admit(`card ${at}`, at, undefined, tester);
      decide(transactionId, "declined", at, { payer: unknown });
    }
    expect(admit("another", 10, undefined, tester).answer).toMatchObject({ scope: "address" });
  });

  test("does not close the API for a card by attempts in flight", () => {
    const { admit } = given();
    for (let at = 0; at < 10; at++) admit("4242", 0, undefined, payerAt(`address ${at}`));
    expect(admit("4242", 0, undefined, payerAt("fresh")).kind).toBe("exceeded");
    expect(admit("4242", 0).kind).toBe("admitted");
  });

  test("counts a card from all addresses", () => {
    const { admit, run } = given();
    for (let at = 0; at < 10; at++) run("4242", "declined", at, payerAt(`address ${at}`));
    expect(admit("4242", 10, undefined, payerAt("fresh")).answer).toMatchObject({ scope: "card" });
  });

  test("never closes the API: neither for the card nor for all, nor does the API close a link", () => {
    const { admit, run } = given();
    for (let at = 0; at < 100; at++)
      run(`card ${at % 50}`, "declined", at, payerAt(`address ${at}`));
    expect(admit("fresh", 100, undefined, payerAt("fresh")).answer).toMatchObject({ scope: "all" });
    expect(admit("card 1", 100).kind).toBe("admitted");
    const other = given();
    for (let at = 0; at < 100; at++) other.run(`card ${at % 50}`, "declined", at);
    expect(other.admit("card 1", 100).kind).toBe("exceeded");
    expect(other.admit("card 1", 100, undefined, payerAt("one")).kind).toBe("admitted");
  });
});

describe("a company", () => {
  test("is refused while a hundred of its newest outcomes were declined, with any card", () => {
    const { admit, run } = given();
    for (let at = 0; at < 100; at++) expect(run(`card ${at}`, "declined", at)).toBe("admitted");
    expect(admit("another", 100).answer).toEqual({
      kind: "exceeded",
      scope: "all",
      retryAt: HOUR,
    });
    expect(admit("another", HOUR).kind).toBe("admitted");
  });

  test("with mostly approved cards is never refused", () => {
    const { run } = given();
    for (let at = 0; at < 3_000; at++) {
      expect(run(`card ${at}`, at % 3 === 0 ? "declined" : "approved", at)).toBe("admitted");
    }
  });
});

test("the memory is bounded: ten thousand open attempts later the first ones are forgotten", () => {
  const { admit } = given();
  for (let at = 0; at < 10; at++) admit("first", 0);
  expect(admit("first", 0).kind).toBe("exceeded");
  for (let at = 0; at < 9_990; at++) admit(`other ${at}`, 0);
  expect(admit("first", 0).kind).toBe("exceeded");
  admit("another", 0);
  expect(admit("first", 0).kind).toBe("admitted");
});

test("a decision counts after an eviction too: the charge need not be remembered", () => {
  const { admit, decide } = given();
  for (let at = 0; at < 10; at++) decide(`unknown ${at}`, "declined", at, { card: "4242" });
  expect(admit("4242", 10).kind).toBe("exceeded");
});
