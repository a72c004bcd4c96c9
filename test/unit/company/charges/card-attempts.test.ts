import { describe, expect, test } from "vitest";
import { CardAttempts } from "../../../../src/company/charges/card-attempts.ts";

const HOUR = 60 * 60_000;
const MINUTE = 60_000;

/** Attempts by number of the charge, each decided or left open. */
function given() {
  const attempts = new CardAttempts();
  let charges = 0;
  const admit = (card: string, now: number, attempt?: string) => {
    charges += 1;
    const transactionId = `t${charges}`;
    const answer = attempts.admit({ transactionId, attempt: attempt ?? transactionId, card }, now);
    return { transactionId, kind: answer.kind, answer };
  };
  const run = (card: string, outcome: "approved" | "declined", now: number) => {
    const { transactionId, kind } = admit(card, now);
    if (kind === "admitted") attempts.decided(transactionId, outcome, now);
    return kind;
  };
  return { attempts, admit, run };
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
    const { attempts, admit } = given();
    const sent = Array.from({ length: 10 }, () => admit("4242", 0));
    expect(admit("4242", 0).answer).toEqual({ kind: "exceeded", scope: "card", retryAt: MINUTE });
    attempts.decided(sent[0]!.transactionId, "approved", 1);
    expect(admit("4242", 1).kind).toBe("admitted");
    expect(admit("4242", 2).kind).toBe("exceeded");
    expect(admit("4242", MINUTE).kind).toBe("admitted");
  });

  test("counts a repeated request once", () => {
    const { admit } = given();
    for (let at = 0; at < 50; at++) expect(admit("4242", at, "tx_1").kind).toBe("admitted");
    expect(admit("4242", 50, "tx_2").kind).toBe("admitted");
  });
});

describe("a company", () => {
  test("is refused while a hundred of its newest outcomes were declined, with any card", () => {
    const { admit, run } = given();
    for (let at = 0; at < 100; at++) expect(run(`card ${at}`, "declined", at)).toBe("admitted");
    expect(admit("another", 100).answer).toEqual({
      kind: "exceeded",
      scope: "company",
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

test("the memory is bounded: ten thousand cards later the first one is forgotten", () => {
  const { admit } = given();
  for (let at = 0; at < 10; at++) admit("first", 0);
  expect(admit("first", 0).kind).toBe("exceeded");
  for (let at = 0; at < 9_999; at++) admit(`other ${at}`, 0);
  expect(admit("first", 0).kind).toBe("exceeded");
  for (let at = 0; at < 10_000; at++) admit(`another ${at}`, 0);
  expect(admit("first", 0).kind).toBe("admitted");
});

test("a decision about a charge that is not remembered changes nothing", () => {
  const { attempts, admit } = given();
  for (let at = 0; at < 1_000; at++) attempts.decided(`unknown ${at}`, "declined", at);
  expect(admit("4242", 1_000).kind).toBe("admitted");
});
