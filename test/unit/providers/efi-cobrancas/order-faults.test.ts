import { expect, it } from "vitest";
import type { BoletoTerms } from "../../../../src/domain/charges/payment-details.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { efiBoletoOrder, efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { ANONYMOUS_PAYER } from "../../../support/builders/providers/provider-orders.ts";
import { efiProvider } from "../../../support/fakes/efi-cobrancas/provider.ts";

const nobody = () => Promise.reject(new Error("an order's faults need no call"));
const provider = efiProvider("https://efi.test", nobody);
const proven = efiProvider("https://efi.test", nobody, { config: { termsProven: true } });
const today = saoPauloDay(Date.now());

it("an order that Efí can carry out has no fault", () => {
  expect(provider.orderFaults(efiBoletoOrder())).toEqual({});
  expect(provider.orderFaults(efiCardOrder())).toEqual({});
});

it.each<[field: string, terms: Partial<BoletoTerms>]>([
  ["boleto.interest.value", { interest: { value: 100 } }],
  ["boleto.interest.value", { interest: { value: 993 } }],
  ["boleto.fine.value", { fine: { type: "PERCENTAGE", value: 1_001 } }],
  ["boleto.dueDate", { dueDate: addDays(today, 1_241) }],
  ["boleto.instructions", { instructions: "a\nb\nc\nd\ne" }],
  ["boleto.instructions", { instructions: "a".repeat(101) }],
])("%s of what cannot be expressed exactly is a fault: %j", (field, terms) => {
  expect(Object.keys(provider.orderFaults(efiBoletoOrder(terms)))).toEqual([field]);
});

it("a fixed fine is taken where it is whole hundredths of a percent", () => {
  const fine = { type: "FIXED" as const, value: 23 };
  expect(provider.orderFaults(efiBoletoOrder({ fine }, 2_300))).toEqual({});
  expect(Object.keys(provider.orderFaults(efiBoletoOrder({ fine }, 2_301)))).toEqual([
    "boleto.fine.value",
  ]);
});

it("a month's interest needs the owner's proof of its unit", () => {
  expect(proven.orderFaults(efiBoletoOrder({ interest: { value: 100 } }))).toEqual({});
});

it("a month's interest beyond Efí's limit is a fault also with that proof", () => {
  expect(proven.orderFaults(efiBoletoOrder({ interest: { value: 329 } }))).toEqual({});
  expect(Object.keys(proven.orderFaults(efiBoletoOrder({ interest: { value: 992 } })))).toEqual([
    "boleto.interest.value",
  ]);
  expect(Object.keys(proven.orderFaults(efiBoletoOrder({ interest: { value: 331 } })))).toEqual([
    "boleto.interest.value",
  ]);
});

it("five reais must be left after the discount", () => {
  const discount = { type: "FIXED" as const, value: 100, untilDate: today };
  expect(provider.orderFaults(efiBoletoOrder({ discount }, 600))).toEqual({});
  expect(provider.orderFaults(efiBoletoOrder({ discount }, 599))).toEqual({
    amount: ["must be at least 500 centavos"],
  });
});

it("a payer without name and document, and a card's without e-mail, are faults", () => {
  expect(Object.keys(provider.orderFaults({ ...efiCardOrder(), payer: ANONYMOUS_PAYER }))).toEqual([
    "customer.name",
    "customer.document.number",
    "customer.email",
  ]);
});

it("a card to capture later, and a token of another house, are faults", () => {
  const order = efiCardOrder("a", { capture: false });
  const card = { ...order.card, source: { token: "tok_1" } };
  expect(Object.keys(provider.orderFaults({ ...order, card }))).toEqual([
    "card.token",
    "card.capture",
  ]);
});
