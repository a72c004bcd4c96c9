import { expect, it } from "vitest";
import type { ListedRecord } from "../../../../src/providers/provider.ts";
import { efiBoletoOrder, efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider, MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

async function givenCharge(order: ReturnType<typeof efiBoletoOrder | typeof efiCardOrder>) {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const refs = new MemoryRefs();
  const provider = efiProvider("https://efi.test", efi.fetch, { clock, refs });
  await provider.createCharge(order);
  const charge = efi.charge(order.chargeId);
  const window = { from: clock.now() - DAY_MS, to: clock.now() + DAY_MS };
  return {
    clock,
    efi,
    refs,
    provider,
    charge,
    chargeId: order.chargeId,
    find: () => provider.findCharge(order.chargeId),
    listed: async (): Promise<ListedRecord[]> => {
      const page = await provider.list("payments", window, 0);
      return page.kind === "known" ? page.records : [];
    },
  };
}

it("the money of a boleto is what was paid, not what was asked for", async () => {
  const { efi, charge, chargeId, find, listed } = await givenCharge(efiBoletoOrder());

  efi.pay(chargeId, { value: 2_551 });

  const payment = { paymentId: `efi:${charge.id}`, method: "BOLETO", amount: 2_551 };
  expect(await find()).toMatchObject({ status: "open", payments: [payment] });
  expect(await listed()).toMatchObject([{ payment: { ...payment, chargeId } }]);
});

it("a paid boleto whose amount nobody tells is unknown", async () => {
  const { efi, charge, chargeId, find } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId);
  charge.paidValue = null;

  expect(await find()).toEqual({ kind: "unknown" });
});

it("what a notice says was paid counts while the list does not say it", async () => {
  const { efi, charge, chargeId, provider, find } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId, { value: 2_600 });
  charge.paidValue = null;
  charge.paidAt = null;

  expect(await provider.readNotice(charge.token)).toEqual({
    kind: "known",
    charges: [{ chargeId, isOpen: false }],
  });

  expect(await find()).toMatchObject({ payments: [{ amount: 2_600 }] });
});

it("a notice with all of a charge's life reads what is remembered of it once", async () => {
  const { efi, refs, charge, chargeId, provider } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId);
  await provider.readNotice(charge.token);
  refs.reads = 0;

  expect(await provider.readNotice(charge.token)).toEqual({
    kind: "known",
    charges: [{ chargeId, isOpen: false }],
  });

  expect(refs.reads).toBe(2);
});

it("a time of payment long before the charge is not believed", async () => {
  const { efi, charge, chargeId, find } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId);
  charge.paidAt = "2001-01-01 10:00:00";

  expect(await find()).toEqual({ kind: "unknown" });
});

it("a cancelled boleto that is paid afterwards has its money", async () => {
  const { efi, chargeId, provider, find } = await givenCharge(efiBoletoOrder());
  expect(await provider.cancelCharge(chargeId)).toEqual({ kind: "cancelled" });
  expect(await find()).toMatchObject({ status: "cancelled", payments: [] });

  efi.pay(chargeId);

  expect(await find()).toMatchObject({ payments: [{ amount: 2_500 }] });
});

it("a boleto settled by hand has no money and is for a person to look at", async () => {
  const { efi, charge, find, listed } = await givenCharge(efiBoletoOrder());
  efi.book.change(charge, "settled");

  expect(await find()).toMatchObject({
    status: "open",
    payments: [],
    unreadable: [{ fault: expect.stringContaining("settled by hand") }],
  });
  expect(await listed()).toEqual([]);
});

it("an overdue boleto is open, and a seen payment is not yet money", async () => {
  const { efi, charge, find } = await givenCharge(efiBoletoOrder());
  for (const status of ["unpaid", "identified"]) {
    efi.book.change(charge, status);
    expect(await find()).toMatchObject({ status: "open", payments: [] });
  }
});

it("a boleto's Pix is another payment than one at a bank, and keeps its id", async () => {
  const { efi, charge, chargeId, provider, find, listed } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId, { by: "pix" });

  const payment = { paymentId: `efi:${charge.id}:pix`, method: "PIX", amount: 2_500 };
  expect(await find()).toMatchObject({ payments: [payment] });
  charge.receivedAt = efi.book.today();
  expect(await find()).toMatchObject({ payments: [payment] });
  expect(await listed()).toMatchObject([{ payment }]);
  expect(await provider.findPayment(`efi:${charge.id}`)).toEqual({ kind: "not_found" });
});

it("a payment is found by Efí's id only where the charge of ours has that id", async () => {
  const { efi, charge, chargeId, provider, refs } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId);
  const paymentId = `efi:${charge.id}`;
  expect(await provider.findPayment(paymentId)).toMatchObject({ kind: "known" });

  await refs.save(chargeId, { ...Object(await refs.read(chargeId)), efiId: charge.id + 1 });

  expect(await provider.findPayment(paymentId)).toEqual({ kind: "not_found" });
});

it("an answer about another charge is unknown", async () => {
  const { charge, find } = await givenCharge(efiBoletoOrder());
  charge.custom_id = "0".repeat(32);

  expect(await find()).toEqual({ kind: "unknown" });
});

it("a charge that others made at Efí is not listed", async () => {
  const { efi, charge, chargeId, listed } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId);
  charge.custom_id = "pedido-1";

  expect(await listed()).toEqual([]);
});

it("a second charge of ours that was paid is for a person to look at", async () => {
  const { efi, charge, chargeId, provider, clock } = await givenCharge(efiBoletoOrder());
  const other = efi.book.create({
    items: charge.items,
    metadata: { custom_id: chargeId, notification_url: "" },
  });
  efi.book.definePayment(other, { payment: charge.payment });
  Object.assign(other, { status: "paid", paidAt: efi.book.time(), paidValue: 2_500 });

  const window = { from: clock.now(), to: clock.now() };
  expect(await provider.list("payments", window, 0)).toMatchObject({
    records: [],
    unreadable: [{ chargeId, fault: "id: Not the charge that was registered" }],
  });
});

it("a list goes on while either of its kinds has a whole page", async () => {
  const { efi, provider, clock } = await givenCharge(efiBoletoOrder());
  const ids: string[] = [];
  for (let count = 0; count < 51; count++) {
    const order = efiCardOrder();
    await provider.createCharge(order);
    efi.pay(order.chargeId);
    ids.push(order.chargeId);
  }
  const window = { from: clock.now(), to: clock.now() };

  const [first, last] = [
    await provider.list("payments", window, 0),
    await provider.list("payments", window, 1),
  ];

  expect([first, last]).toMatchObject([{ hasMore: true }, { hasMore: false }]);
  expect([first, last].flatMap((page) => (page.kind === "known" ? page.records : []))).toHaveLength(
    51,
  );
});

it("what was paid long before the window is not read again, and what has only a day is", async () => {
  const { clock, efi, charge, chargeId, provider } = await givenCharge(efiBoletoOrder());
  efi.pay(chargeId);
  const recordsFrom = async (from: number) => {
    const page = await provider.list("payments", { from, to: clock.now() }, 0);
    return page.kind === "known" ? page.records.length : null;
  };
  const now = clock.now();
  const day = efi.book.today();

  expect(await recordsFrom(now)).toBe(1);
  expect(await recordsFrom(now + 2 * HOUR_MS)).toBe(0);
  charge.paidAt = `${day} 00:00:00`;
  expect(await recordsFrom(now)).toBe(1);
});

it("a card's chargeback is open, won where the charge is paid again, and then another, lost where it is refunded", async () => {
  const { efi, charge, find } = await givenCharge(efiCardOrder());
  const first = `efi:${charge.id}:contested`;
  const another = `${first}:2`;
  for (const [status, disputes] of [
    ["contested", [[first, "OPEN"]]],
    ["paid", [[first, "WON"]]],
    [
      "contested",
      [
        [first, "WON"],
        [another, "OPEN"],
      ],
    ],
    [
      "refunded",
      [
        [first, "WON"],
        [another, "LOST"],
      ],
    ],
  ] as const) {
    efi.book.change(charge, status);
    expect(await find()).toMatchObject({
      payments: [{ amount: 2_500 }],
      disputes: disputes.map(([id, dispute]) => ({
        id,
        kind: "CHARGEBACK",
        status: dispute,
        amount: 2_500,
        isOfRest: true,
      })),
      refunds: [],
    });
  }
});

it("a card that is claimed back before its money is credited is listed", async () => {
  const { efi, charge, chargeId, listed } = await givenCharge(efiCardOrder());
  const payment = { paymentId: `efi:${charge.id}`, chargeId };
  expect(await listed()).toMatchObject([{ payment: { ...payment, disputes: [] } }]);

  efi.contest(chargeId);
  expect(await listed()).toMatchObject([{ payment: { disputes: [{ status: "OPEN" }] } }]);
  efi.endContest(chargeId, false);

  expect(await listed()).toMatchObject([
    { payment: { ...payment, disputes: [{ status: "LOST" }] } },
  ]);
});

it.each([
  ["canceled", "cancelled"],
  ["unpaid", "refused"],
] as const)("a card that Efí calls %s is listed without money", async (word, status) => {
  const { efi, clock, charge, chargeId, listed } = await givenCharge(efiCardOrder());
  efi.book.change(charge, word);
  // Its order's own answer may still be to come, and says more.
  expect(await listed()).toEqual([]);

  clock.advance(HOUR_MS);

  expect(await listed()).toMatchObject([
    { kind: "charge", chargeId, charge: { status, payments: [] } },
  ]);
});

it("what goes back after a chargeback that was won is a refund, and the chargeback stays won", async () => {
  const { efi, charge, find, listed } = await givenCharge(efiCardOrder());
  efi.pay(charge.custom_id!);
  efi.book.change(charge, "contested");
  await find();
  efi.book.change(charge, "paid");
  expect(await listed()).toMatchObject([{ payment: { disputes: [{ status: "WON" }] } }]);

  efi.book.change(charge, "refunded");

  expect(await find()).toMatchObject({
    disputes: [{ status: "WON" }],
    refunds: [{ id: `efi:${charge.id}:refunded`, amount: 2_500, status: "DONE", isSum: true }],
  });
});

it("a card's money is what was ordered, or unknown", async () => {
  const { efi, charge, chargeId, provider, listed } = await givenCharge(efiCardOrder());
  efi.pay(chargeId, { value: 2_400 });

  expect(await listed()).toEqual([]);
  expect(charge.paidValue).toBe(2_400);
  expect(await provider.findCharge(chargeId)).toMatchObject({ payments: [{ amount: 2_500 }] });
});

it("what is remembered of a page's charges is read in one trip, however many they are", async () => {
  const { efi, refs, provider, chargeId, listed } = await givenCharge(efiBoletoOrder());
  const cards = [efiCardOrder(), efiCardOrder()];
  for (const card of cards) await provider.createCharge(card);
  for (const each of [chargeId, ...cards.map((card) => card.chargeId)]) efi.pay(each);
  expect(await listed()).toHaveLength(3);

  refs.reads = 0;
  expect(await listed()).toHaveLength(3);

  expect(refs.reads).toBe(1);
});

it.each(["9999-12-31 23:59:59", "2001-01-01 10:00:00"])(
  "a card of the time %s is unknown, told by its list, and read once its time can be",
  async (time) => {
    const { clock, efi, charge, chargeId, provider, find } = await givenCharge(efiCardOrder());
    efi.pay(chargeId);
    const rightTime = charge.paidAt;
    charge.payment.definedAt = time;
    charge.paidAt = time;

    expect(await find()).toEqual({ kind: "unknown" });
    const window = { from: clock.now() - HOUR_MS, to: clock.now() + DAY_MS };
    const list = () => provider.list("payments", window, 0);
    expect(await list()).toMatchObject({
      records: [],
      unreadable: [{ chargeId, fault: "created_at: Impossible" }],
    });
    charge.paidAt = rightTime;
    expect(await list()).toMatchObject({ records: [{ payment: { chargeId } }], unreadable: [] });
  },
);
