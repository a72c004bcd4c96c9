import { expect, test } from "vitest";
import { dunningEndsAt, NO_DUNNING } from "../../../../src/domain/subscriptions/dunning.ts";
import type { Dunning } from "../../../../src/domain/subscriptions/subscription.ts";
import {
  chargeAwaitedUntil,
  isToBeMade,
  linkDueDate,
  nextOffer,
} from "../../../../src/domain/subscriptions/dunning/offers.ts";
import { giveUpStep } from "../../../../src/domain/subscriptions/dunning/steps.ts";
import type { CycleState } from "../../../../src/domain/subscriptions/next-step.ts";
import type { Subscription } from "../../../../src/domain/subscriptions/records.ts";
import {
  at,
  CYCLE,
  DAY,
  FAILED,
  HOUR,
  SUBSCRIPTION,
} from "../../../support/builders/charges/subscription-state.ts";

const CARD = { id: "card", secureRandom: "", isMade: true, method: "CREDIT_CARD" as const };
const LINK = { id: "link", secureRandom: "", isMade: true };
const REFUSED = { code: "INSUFFICIENT_FUNDS", message: "", retryable: true };
const POLICY = { ...NO_DUNNING, link: "event", savedCardId: "card_1", days: 3 } as const;
const overAt = at("2026-12-11", "01:00:00");
const since = at("2026-12-10", "23:59:59");

const dunned = (policy: Partial<Dunning> = {}, change: Partial<Subscription> = {}) => ({
  ...SUBSCRIPTION,
  dunning: { ...POLICY, ...policy },
  ...change,
});
const unpaid = (change: Partial<CycleState> = {}) => ({ ...CYCLE, attempts: [FAILED], ...change });
/** A cycle whose card was refused. */
const refused = (refusal: Partial<CycleState["byHandRefusal"]> | null, change = {}) =>
  unpaid({
    recovery: { byHand: CARD, dunning: { since, emailedAt: null, isOver: false }, ...change },
    byHandOverAt: overAt,
    byHandRefusal: refusal === null ? null : { ...REFUSED, ...refusal },
  });
/** What follows a refusal of the card where the link is a boleto. */
const offer = (refusal: Parameters<typeof refused>[0], change = {}) =>
  nextOffer(dunned({ method: "BOLETO" }), refused(refusal, change));
const due = (day: string, days = 4) => linkDueDate(dunned({ days }), unpaid(), at(day, "20:00:00"));
const PIX_NOW = { method: "PIX", at: 0 };
const cardAt = (time: number) => ({ method: "CREDIT_CARD", at: time });

test("a saved card is charged from the day of the debit on, before any link", () => {
  expect(nextOffer(dunned(), unpaid())).toEqual(cardAt(at("2026-12-10", "00:00:00")));
  const { savedCardId: _card, ...without } = POLICY;
  expect(nextOffer({ ...SUBSCRIPTION, dunning: without }, unpaid())).toEqual(PIX_NOW);
  expect(nextOffer(dunned({ link: "none" }), unpaid())?.method).toBe("CREDIT_CARD");
  expect(nextOffer(dunned({}, { status: "paused" }), unpaid())).toEqual(PIX_NOW);
  expect(nextOffer(dunned({}, { status: "cancelled" }), unpaid())).toBeNull();
});

test("nothing is offered beside what is open", () => {
  expect(nextOffer(dunned(), unpaid({ recovery: { byHand: CARD } }))).toBeNull();
  expect(nextOffer(dunned(), unpaid({ recovery: { byHand: LINK } }))).toBeNull();
});

test("a card is charged again as its brand allows, within the days, and else the link is offered at once", () => {
  const boleto = { method: "BOLETO", at: 0 };
  expect(offer({})).toEqual(cardAt(overAt + DAY));
  const retryNotBefore = new Date(overAt + 30 * HOUR).toISOString();
  expect(offer({ retryNotBefore })).toEqual(cardAt(overAt + 30 * HOUR));
  expect(offer({ retryNotBefore: new Date(overAt).toISOString() })).toEqual(cardAt(overAt + DAY));
  expect(offer({ attemptsLeft: 0, retryNotBefore })).toEqual(cardAt(overAt + 30 * HOUR));
  expect(offer({ attemptsLeft: 0 })).toEqual(boleto);
  expect(offer({ retryable: false, attemptsLeft: 3 })).toEqual(boleto);
  expect(offer(null)).toEqual(boleto);
  const late = new Date(since + 3 * DAY).toISOString();
  expect(offer({ retryNotBefore: late })).toEqual(boleto);
  const over = { dunning: { since, emailedAt: null, isOver: true } };
  expect(offer({}, over)).toEqual(boleto);
  // Before its failure was told the days count from its refusal.
  expect(offer({ retryNotBefore: late }, { dunning: undefined })).toEqual(cardAt(since + 3 * DAY));
});

test("a card that was skipped has its turn when its brand allows it, and never after a link", () => {
  const skipped = (notBefore: number | null, byHand?: typeof LINK) =>
    unpaid({
      recovery: {
        card: { why: "brand_rules", at: overAt, notBefore },
        ...(byHand === undefined ? {} : { byHand }),
      },
      byHandOverAt: byHand === undefined ? null : overAt,
    });
  expect(nextOffer(dunned(), skipped(overAt + HOUR))).toEqual(cardAt(overAt + HOUR));
  expect(nextOffer(dunned(), skipped(overAt + 3 * DAY))).toEqual(PIX_NOW);
  expect(nextOffer(dunned(), skipped(null))).toEqual(PIX_NOW);
  expect(nextOffer(dunned(), skipped(overAt + HOUR, LINK))).toEqual({
    method: "PIX",
    at: overAt + DAY,
  });
});

test("a fixed card is charged only while nothing debits its cycle, and its payer is dunned", () => {
  const unmade = { recovery: { byHand: { ...CARD, isMade: false } } };
  const made = (change: Partial<CycleState>, of: Partial<Subscription> = {}) =>
    isToBeMade(dunned({}, of), unpaid({ ...unmade, ...change }));
  expect(made({})).toBe(true);
  expect(made({ debit: { ...CYCLE.debit, retryDay: "2026-12-12" } })).toBe(false);
  const open = {
    ...FAILED,
    day: "2026-12-12",
    kind: "retry" as const,
    status: "scheduled" as const,
  };
  expect(made({ attempts: [FAILED, open] })).toBe(false);
  expect(made({}, { status: "paused" })).toBe(false);
  expect(made({}, { status: "cancelled" })).toBe(false);
  expect(made({ recovery: { byHand: CARD } })).toBe(false);
  const link = { recovery: { byHand: { ...LINK, isMade: false } } };
  expect(made({ ...link, attempts: [FAILED, open] })).toBe(true);
});

test("a card that nobody has decided is waited for", () => {
  const open = unpaid({ recovery: { byHand: CARD } });
  const told = { since, emailedAt: null, isOver: false };
  expect(chargeAwaitedUntil(dunned(), open, told)).toBe(since + 30 * DAY);
  const link = unpaid({ recovery: { byHand: LINK } });
  expect(chargeAwaitedUntil(dunned(), link, told)).toBe(0);
  const now = at("2026-12-10", "22:00:00");
  expect(giveUpStep(dunned(), open, now)).toEqual({
    kind: "give_up",
    at: at("2026-12-11", "23:59:59"),
  });
  expect(giveUpStep(dunned(), link, now)).toEqual({ kind: "give_up", at: 0 });
  expect(giveUpStep(dunned(), unpaid(), now).kind).toBe("offer_link");
});

test("a boleto is due a day before the days are over", () => {
  expect(due("2026-12-08")).toBe("2026-12-13");
  expect(due("2026-12-10")).toBe("2026-12-13");
  expect(due("2026-12-12")).toBe("2026-12-15");
  expect(due("2026-12-12", 2)).toBe("2026-12-13");
});

/** A cycle with a boleto, whose days count from the evening of a day. */
const withBoleto = (day: string, change: Partial<CycleState> = {}) =>
  unpaid({
    debit: { ...CYCLE.debit, ending: "over" },
    recovery: {
      byHand: { ...LINK, method: "BOLETO" },
      dunning: { since: at(day, "23:59:59"), emailedAt: null, isOver: false },
    },
    ...change,
  });

test("an end waits two business days for what banks tell of a boleto's last day", () => {
  const endOf = (day: string, days: number) =>
    dunningEndsAt(dunned({ method: "BOLETO", then: "cancel", days }), withBoleto(day));
  // Due on Friday the 11th: the Monday tells, and the Tuesday is waited.
  expect(endOf("2026-12-10", 2)).toBe(at("2026-12-15", "23:59:59"));
  // Due on a Saturday, it is paid on the Monday.
  expect(endOf("2026-12-10", 3)).toBe(at("2026-12-16", "23:59:59"));
  // Christmas has no banks.
  expect(endOf("2026-12-22", 3)).toBe(at("2026-12-29", "23:59:59"));
  expect(endOf("2026-12-13", 2)).toBe(at("2026-12-16", "23:59:59"));

  const pix = withBoleto("2026-12-10", {
    recovery: { ...withBoleto("2026-12-10").recovery, byHand: LINK },
  });
  expect(dunningEndsAt(dunned({ then: "cancel", days: 2 }), pix)).toBe(
    at("2026-12-12", "23:59:59"),
  );
});

/** What follows a boleto of three days that ended at a time. */
const afterBoleto = (byHandOverAt: number) =>
  nextOffer(dunned({ method: "BOLETO", days: 3 }), withBoleto("2026-12-10", { byHandOverAt }));

test("a boleto that ends after its last day has no other after it", () => {
  // Due on Saturday the 12th, it is paid until the Monday.
  const last = at("2026-12-14", "23:59:59");
  expect(afterBoleto(last)).toEqual({ method: "BOLETO", at: last + DAY });
  expect(afterBoleto(last + 1)).toBeNull();
  expect(afterBoleto(0)?.method).toBe("BOLETO");
});
