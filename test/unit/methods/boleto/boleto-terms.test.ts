import { describe, expect, test } from "vitest";
import type { DueTerms } from "../../../../src/domain/charges/payment-details.ts";
import { boletoExpiresAt } from "../../../../src/methods/boleto/boleto-terms.ts";
import { endOfDay, saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";

/** Of a Tuesday. */
const TERMS: DueTerms = { dueDate: "2026-12-01", fine: null, interest: null, discount: null };

describe("an unpaid boleto expires at the end of a day in São Paulo", () => {
  test.each<[string, Partial<DueTerms>, string]>([
    ["three days after its due date", {}, "2026-12-05T02:59:59.000Z"],
    ["with a fine, thirty", { fine: { type: "FIXED", value: 1 } }, "2027-01-01T02:59:59.000Z"],
    ["with interest, thirty", { interest: { value: 1 } }, "2027-01-01T02:59:59.000Z"],
  ])("%s", (_title, parts, time) => {
    expect(new Date(boletoExpiresAt({ ...TERMS, ...parts })).toISOString()).toBe(time);
  });

  test.each([
    ["2026-11-20", "2026-11-21T02:59:59.000Z"],
    ["2018-11-03", "2018-11-04T02:59:59.000Z"],
    ["2018-11-04", "2018-11-05T01:59:59.000Z"],
  ])("the end of %s, with and without summer time, is %s", (day, time) => {
    expect(new Date(endOfDay(day)).toISOString()).toBe(time);
    expect(saoPauloDay(endOfDay(day))).toBe(day);
    expect(saoPauloDay(endOfDay(day) + 1_000)).toBe(addDays(day, 1));
  });
});
