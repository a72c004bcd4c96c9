import { expect, it } from "vitest";
import { isPin, mayUseCounter } from "../../../../src/domain/cashier/pin.ts";
import { PERSON_ROLES } from "../../../../src/domain/access/person-role.ts";

it.each(["2580", "19283", "004731", "1235"])("%s is a PIN", (text) => {
  expect(isPin(text)).toBe(true);
});

it.each(["", "258", "1234567", "12a4", " 2580", "٢٥٨٠", "0000", "999999", "1234", "45678", "6543"])(
  "%s is none",
  (text) => {
    expect(isPin(text)).toBe(false);
  },
);

it("who may charge at the counter has a PIN there", () => {
  expect(PERSON_ROLES.filter(mayUseCounter)).toEqual([
    "owner",
    "admin",
    "finance",
    "support",
    "cashier",
  ]);
});
