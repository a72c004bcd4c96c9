import { expect, it } from "vitest";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import type { BoletoTerms } from "../../../../src/domain/charges/payment-details.ts";
import { parseBoleto } from "../../../../src/methods/boleto/boleto-code-parser.ts";
import { pixRefId } from "../../../../src/providers/efi-cobrancas/refs.ts";
import { efiBoletoOrder, withDueDate } from "../../../support/builders/providers/efi-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeEfi, type EfiFault } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider, MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";

const PUT_BILLET = /^PUT .*\/billet$/;
const DAY_MS = 86_400_000;

async function givenBoleto(terms: Partial<BoletoTerms> = {}) {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const refs = new MemoryRefs();
  const { dueDates, ...provider } = ((made) => ({
    dueDates: made.dueDates,
    createCharge: made.createCharge.bind(made),
    cancelCharge: made.cancelCharge.bind(made),
  }))(efiProvider("https://efi.test", efi.fetch, { clock, refs }));
  const today = saoPauloDay(clock.now());
  const order = efiBoletoOrder({ dueDate: addDays(today, 3), ...terms });
  await provider.createCharge(order);
  const charge = efi.charge(order.chargeId);
  const later = withDueDate(order, addDays(today, 10));
  const sent = () => efi.calls.filter((call) => PUT_BILLET.test(call)).length;
  return { clock, efi, refs, dueDates, order, later, charge, sent, today, provider };
}

it.each(["waiting", "unpaid"])(
  "a boleto that is %s gets another day, and the line that Efí has since",
  async (status) => {
    const { dueDates, later, charge } = await givenBoleto();
    charge.status = status;

    const outcome = await dueDates.change(later);

    const day = later.boleto.dueDate;
    expect(charge.payment.banking_billet.expire_at).toBe(day);
    if (outcome.kind !== "changed") throw new Error(`Efí answered ${outcome.kind}`);
    expect(parseBoleto(outcome.boleto.digitableLine, day)).toMatchObject({
      valid: true,
      content: { dueDate: day, amount: 2_500, barcode: outcome.boleto.barcode },
    });
  },
);

it("an overdue boleto with fine and interest keeps them under its new day", async () => {
  const fine = { type: "PERCENTAGE", value: 200 } as const;
  const { clock, dueDates, later, charge } = await givenBoleto({ fine, interest: { value: 99 } });
  clock.advance(5 * DAY_MS);
  charge.status = "unpaid";

  expect(await dueDates.change(later)).toMatchObject({ kind: "changed" });
  expect(charge.payment.banking_billet.configurations).toMatchObject({ fine: 200 });
});

it.each(["paid", "canceled", "identified", "settled"])(
  "a boleto that is %s keeps its day, and nothing is sent",
  async (status) => {
    const { dueDates, later, charge, sent, order } = await givenBoleto();
    charge.status = status;
    charge.paidValue = 2_500;
    charge.paidAt = "2026-11-21 12:00:00";

    expect(await dueDates.change(later)).toEqual({
      kind: "refused",
      reason: `Efí says ${status} of the charge.`,
    });
    expect(charge.payment.banking_billet.expire_at).toBe(order.boleto.dueDate);
    expect(sent()).toBe(0);
  },
);

it("a day that Efí refuses is refused in its words", async () => {
  const { dueDates, order, today } = await givenBoleto();

  const outcome = await dueDates.change(withDueDate(order, today));

  expect(outcome).toEqual({ kind: "refused", reason: expect.stringContaining("expire_at") });
});

it("a boleto that is paid just before the call is refused, whatever its look-up said before", async () => {
  const { efi, dueDates, later, order } = await givenBoleto();
  const answer = efi.answer.bind(efi);
  efi.answer = async (request) => {
    if (PUT_BILLET.test(`${request.method} ${new URL(request.url).pathname}`))
      efi.pay(order.chargeId);
    return answer(request);
  };

  expect(await dueDates.change(later)).toMatchObject({ kind: "refused" });
});

it.each<EfiFault>(["reset", "error_200", "page_502"])(
  "an answer that is lost (%s) is looked up, and a repeat sends nothing once Efí has the day",
  async (fault) => {
    const { efi, dueDates, later, sent, charge } = await givenBoleto();
    efi.faultOnce(fault, PUT_BILLET);

    const first = await dueDates.change(later);

    const isDone = charge.payment.banking_billet.expire_at === later.boleto.dueDate;
    expect(first.kind).toBe(isDone ? "changed" : "unknown");
    expect(await dueDates.find(later)).toMatchObject({ kind: isDone ? "changed" : "open" });
    expect((await dueDates.change(later)).kind).toBe("changed");
    const before = sent();
    expect((await dueDates.change(later)).kind).toBe("changed");
    expect(sent()).toBe(before);
  },
);

it("a change without any answer is unknown", async () => {
  const { efi, dueDates, later } = await givenBoleto();
  efi.faultAlways("reset");

  expect(await dueDates.change(later)).toEqual({ kind: "unknown" });
  expect(await dueDates.find(later)).toEqual({ kind: "unknown" });
});

it("a line of another amount is no change", async () => {
  const { dueDates, later, charge } = await givenBoleto();
  charge.total = 2_600;

  expect(await dueDates.change(later)).toEqual({ kind: "unknown" });
});

it("a Pix by the new code is known as the boleto's, and one by the old code stays so", async () => {
  const { efi, refs, dueDates, later, charge } = await givenBoleto();
  const before = efi.book.pixTxidOf(charge);
  charge.token = crypto.randomUUID();

  await dueDates.change(later);

  for (const txid of [before, efi.book.pixTxidOf(charge)]) {
    expect(refs.refs.get(pixRefId(txid))).toMatchObject({ chargeId: later.chargeId });
  }
});

it("a line that stays as it was under the new day is unknown, before and after", async () => {
  const { efi, dueDates, later, charge } = await givenBoleto();
  efi.book.changesLines = false;

  expect(await dueDates.change(later)).toEqual({ kind: "unknown" });

  expect(charge.payment.banking_billet.expire_at).toBe(later.boleto.dueDate);
  expect(await dueDates.find(later)).toEqual({ kind: "unknown" });
});

it("an account without the right to change is refused, and the boleto keeps its day", async () => {
  const { efi, dueDates, order, later, charge } = await givenBoleto();
  efi.book.mayChangeDueDates = false;

  expect(await dueDates.change(later)).toMatchObject({ kind: "refused" });

  expect(charge.payment.banking_billet.expire_at).toBe(order.boleto.dueDate);
});
