import { expect, it } from "vitest";
import { parseBoleto } from "../../../../src/methods/boleto/boleto-code-parser.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { efiBoletoOrder, efiCardOrder } from "../../../support/builders/providers/efi-orders.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeEfi } from "../../../support/fakes/efi-cobrancas/efi.ts";
import { efiProvider, MemoryRefs } from "../../../support/fakes/efi-cobrancas/provider.ts";

const URL = "https://efi.test";
const PAY = /\/pay$/;
const CREATE = /^POST \/v1\/charge$/;

function setUp() {
  const clock = new TestClock();
  const efi = new FakeEfi(clock);
  const refs = new MemoryRefs();
  return { clock, efi, refs, provider: efiProvider(URL, efi.fetch, { clock, refs }) };
}

/** How many charges can be paid. */
function payable({ book }: FakeEfi): number {
  return book.charges.filter(({ payment }) => payment !== null).length;
}

it("a boleto is registered with its line, its number and its Pix code", async () => {
  const { efi, provider } = setUp();
  const order = efiBoletoOrder();

  const answer = await provider.createCharge(order);

  const boleto = answer.kind === "registered" && "boleto" in answer ? answer.boleto : null;
  const { id } = efi.charge(order.chargeId);
  expect(boleto).toMatchObject({ ourNumber: `${id}`, qrcode: expect.stringContaining("bolix") });
  expect(parseBoleto(boleto!.digitableLine, order.boleto.dueDate)).toMatchObject({
    content: { amount: 2_500, dueDate: order.boleto.dueDate, barcode: boleto!.barcode },
  });
});

it("a boleto is bound to the house between its two calls, and not made where that is refused", async () => {
  const { efi, provider } = setUp();
  const order = efiBoletoOrder();
  const bound: number[] = [];
  const bind = async (answer: boolean) => {
    bound.push(efi.book.charges.length, payable(efi));
    return answer;
  };
  expect(await provider.createCharge(order, () => bind(false))).toEqual({ kind: "unknown" });
  expect(payable(efi)).toBe(0);

  expect(await provider.createCharge(order, () => bind(true))).toMatchObject({
    kind: "registered",
  });

  expect(efi.book.charges).toHaveLength(1);
  expect(bound).toEqual([1, 0, 1, 0]);
});

it("a boleto of an account without Bolix has no Pix code", async () => {
  const { efi, provider } = setUp();
  efi.book.issuesBolix = false;

  expect(await provider.createCharge(efiBoletoOrder())).toMatchObject({ boleto: { qrcode: null } });
});

it("each term is sent, zero included, and a percentage of discount as centavos", async () => {
  const { efi, provider } = setUp();
  const untilDate = saoPauloDay(Date.now());
  const plain = efiBoletoOrder();
  const full = efiBoletoOrder({
    fine: { type: "FIXED", value: 50 },
    interest: { value: 99 },
    discount: { type: "PERCENTAGE", value: 333, untilDate },
  });

  await provider.createCharge(plain);
  await provider.createCharge(full);

  const sent = [plain, full].map(({ chargeId }) => efi.charge(chargeId).payment.banking_billet);
  expect(sent).toMatchObject([
    {
      configurations: {
        days_to_write_off: 0,
        fine: 0,
        interest: { value: 0, type: "daily" },
      },
    },
    {
      configurations: {
        days_to_write_off: 30,
        fine: 200,
        interest: { value: 33, type: "daily" },
      },
      conditional_discount: { type: "currency", value: 83, until_date: untilDate },
    },
  ]);
});

it.each([true, false])(
  "a lost first answer leaves one payable charge, with inert ones listed: %s",
  async (listsNew) => {
    const { efi, provider } = setUp();
    efi.book.listsNew = listsNew;
    const order = efiBoletoOrder();
    efi.faultOnce("reset", CREATE);

    expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
    expect(await provider.createCharge(order)).toMatchObject({ kind: "registered" });

    expect(efi.book.charges).toHaveLength(listsNew ? 1 : 2);
    expect(payable(efi)).toBe(1);
    expect(await provider.findCharge(order.chargeId)).toMatchObject({ status: "open" });
  },
);

it("a lost second answer of a boleto is looked up at once", async () => {
  const { efi, provider } = setUp();
  const order = efiBoletoOrder();
  efi.faultOnce("reset", PAY);

  const answer = await provider.createCharge(order);

  expect(answer.kind).toBe("registered");
  expect(await provider.createCharge(order)).toEqual(answer);
  expect(payable(efi)).toBe(1);
});

it("a crash between the two steps pays the stored charge", async () => {
  const { efi, provider } = setUp();
  efi.book.listsNew = false;
  const order = efiBoletoOrder();
  efi.faultOnce("unavailable", PAY);

  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
  expect(await provider.createCharge(order)).toMatchObject({ kind: "registered" });

  expect(efi.book.charges).toHaveLength(1);
});

it.each([efiBoletoOrder, efiCardOrder])(
  "of two creates at once one charge is payable",
  async (order) => {
    const { efi, provider } = setUp();
    const ordered = order();

    const answers = await Promise.all([
      provider.createCharge(ordered),
      provider.createCharge(ordered),
    ]);

    expect(new Set(answers.map(({ kind }) => kind)).size).toBe(1);
    expect(answers[0]).toEqual(answers[1]);
    expect(efi.book.charges).toHaveLength(2);
    expect(payable(efi)).toBe(1);
  },
);

it("two creates after a lost answer go on with one charge", async () => {
  const { efi, provider } = setUp();
  const order = efiBoletoOrder();
  efi.faultAlways("reset", CREATE);
  await Promise.all([provider.createCharge(order), provider.createCharge(order)]);
  efi.clearFaults();

  await Promise.all([provider.createCharge(order), provider.createCharge(order)]);

  expect(efi.book.charges).toHaveLength(2);
  expect(payable(efi)).toBe(1);
});

it.each([efiBoletoOrder, efiCardOrder])(
  "a charge that a restore has made forgotten is found anew",
  async (order) => {
    const { clock, efi, refs, provider } = setUp();
    const ordered = order();
    const { chargeId } = ordered;
    // An inert one is older.
    efi.faultOnce("reset", CREATE);
    efi.book.listsNew = false;
    await provider.createCharge(ordered);
    const first = await provider.createCharge(ordered);
    efi.book.listsNew = true;
    efi.pay(chargeId, { by: "pix" });
    const before = await provider.findCharge(chargeId);
    refs.refs.clear();
    expect(await provider.findCharge(chargeId)).toEqual({ kind: "not_found" });
    clock.advance(11 * 60_000);

    expect(await provider.readNotice(efi.charge(chargeId).token)).toMatchObject({
      charges: [{ chargeId, isOpen: false }],
    });
    expect(await provider.findCharge(chargeId)).toEqual(before);

    refs.refs.clear();
    const again = await provider.createCharge(ordered);
    expect(again.kind).toBe(first.kind);
    expect(efi.book.charges).toHaveLength(2);
    expect(payable(efi)).toBe(1);
  },
);

it("a list finds a charge anew that a restore has made forgotten", async () => {
  const { clock, efi, refs, provider } = setUp();
  const order = efiBoletoOrder();
  await provider.createCharge(order);
  efi.pay(order.chargeId, { by: "pix" });
  refs.refs.clear();
  const paidAt = clock.now();
  const list = () => provider.list("payments", { from: paidAt, to: paidAt }, 0);
  expect(await list()).toMatchObject({ records: [] });
  clock.advance(11 * 60_000);

  expect(await list()).toMatchObject({
    records: [{ payment: { chargeId: order.chargeId, method: "PIX", amount: 2_500 } }],
  });
});

it("a boleto that was made days after its first attempt is paid as its list says", async () => {
  const { clock, efi, provider } = setUp();
  const order = efiBoletoOrder();
  efi.faultOnce("unavailable", CREATE);
  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
  clock.advance(3 * 24 * 60 * 60_000);
  expect((await provider.createCharge(order)).kind).toBe("registered");

  efi.pay(order.chargeId, { value: 2_400 });

  expect(await provider.findCharge(order.chargeId)).toMatchObject({
    payments: [{ amount: 2_400 }],
  });
});

it("a look-up that fails makes no second charge", async () => {
  const { efi, provider } = setUp();
  const order = efiBoletoOrder();
  efi.faultOnce("reset", CREATE);
  await provider.createCharge(order);
  efi.faultOnce("page_502", /charges$/);

  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });

  expect(efi.book.charges).toHaveLength(1);
});

it("a refusal is one only where the charge is still inert", async () => {
  const { efi, provider } = setUp();
  const order = efiBoletoOrder({ interest: { value: 99 } });
  const broken = { ...order, amount: 400 };

  expect(await provider.createCharge(broken)).toEqual({
    kind: "refused",
    message: expect.any(String),
    code: "LIMIT_EXCEEDED",
  });
  expect(payable(efi)).toBe(0);
});

it("a boleto of other terms than were ordered is not shown", async () => {
  const { efi, provider } = setUp();
  const order = efiBoletoOrder({ fine: { type: "PERCENTAGE", value: 200 } });
  const billetOf = efi.book.billetOf.bind(efi.book);
  efi.book.billetOf = (charge) => {
    const billet = billetOf(charge);
    return { ...billet, configurations: { ...billet.configurations, fine: 300 } };
  };

  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });
});

it("an approved card is paid at once, and one look-up later the same", async () => {
  const { provider } = setUp();
  const order = efiCardOrder();

  const answer = await provider.createCharge(order);

  expect(answer).toMatchObject({
    kind: "decided",
    charge: { status: "authorized", payments: [{ method: "CREDIT_CARD", amount: 2_500 }] },
  });
  expect(await provider.findCharge(order.chargeId)).toMatchObject(
    answer.kind === "decided" ? answer.charge : {},
  );
});

it("a declined card is refused with the acquirer's words", async () => {
  const { provider } = setUp();
  const order = efiCardOrder("d");

  const refused = { code: "CARD_DECLINED", message: "Cartão recusado", retryable: false };
  expect(await provider.createCharge(order)).toMatchObject({
    charge: { status: "refused", payments: [], card: { card: null, refusedReason: refused } },
  });
  expect(await provider.findCharge(order.chargeId)).toMatchObject({ status: "refused" });
});

it("a card whose decision was lost is looked up, not charged again", async () => {
  const { efi, provider } = setUp();
  const order = efiCardOrder();
  efi.faultOnce("reset", PAY);

  expect(await provider.createCharge(order)).toMatchObject({ charge: { status: "authorized" } });

  expect(efi.calls.filter((call) => PAY.test(call))).toHaveLength(1);
});

it("a card that Efí never heard of is unknown, then not found", async () => {
  const { efi, provider } = setUp();
  const order = efiCardOrder();
  efi.faultOnce("unavailable", PAY);

  expect(await provider.createCharge(order)).toEqual({ kind: "unknown" });

  expect(await provider.findCharge(order.chargeId)).toEqual({ kind: "not_found" });
});

it("a token that was used before is refused, to be tried with a new one", async () => {
  const { efi, provider } = setUp();
  const [first, second] = [efiCardOrder(), efiCardOrder()];
  await provider.createCharge(first);

  const answer = await provider.createCharge({ ...second, card: first.card });

  expect(answer).toMatchObject({ kind: "refused", code: "CARD_TOKEN_EXPIRED" });
  expect(payable(efi)).toBe(1);
});

it.each([
  ["card", 499],
  ["card", 2_501],
  ["boleto", 2_501],
] as const)(
  "a %s of %d centavos, beyond the account's limits, is refused as that",
  async (of, amount) => {
    const { efi, provider } = setUp();
    efi.book.amountMax = 2_500;
    const order = of === "card" ? { ...efiCardOrder(), amount } : efiBoletoOrder({}, amount);

    expect(await provider.createCharge(order)).toMatchObject({
      kind: "refused",
      code: "LIMIT_EXCEEDED",
    });

    expect(payable(efi)).toBe(0);
  },
);
