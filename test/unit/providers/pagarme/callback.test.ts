import { expect, it } from "vitest";
import { readNotice } from "../../../../src/providers/pagarme/callback.ts";

const CODE = "0123456789abcdef0123456789abcdef";
const about = (data: object) => readNotice({ type: "charge.paid", data });
const OURS = [{ kind: "subject", chargeId: expect.any(String) }];

it("a notice about a charge is about the order that it names", () => {
  expect(about({ code: "their own", order: { code: CODE } })).toEqual(OURS);
});

it("a notice about an order is about its own code", () => {
  expect(about({ code: CODE })).toEqual(OURS);
});

it("one about what others made is about nothing, and one of another shape is for people", () => {
  expect(about({ code: "their own", order: { code: "theirs" } })).toEqual([]);
  expect(readNotice({ type: "charge.paid" })).toMatchObject([{ kind: "unreadable" }]);
});
