import type { EfiCharge } from "./efi-cobrancas/book.ts";
import type { FakeEfi } from "./efi-cobrancas/efi.ts";
import type { FakePagarMe } from "./pagarme/house.ts";

/** A company's two houses. */
export interface Houses {
  efi: FakeEfi;
  pagarme: FakePagarMe;
}

/** What happens at the houses: payers, acquirers and people at their panels. */
export type HouseAct =
  | { do: "pay"; which: number; other: number | null; byPix: boolean }
  | { do: "credit"; which: number }
  | { do: "settleByHand"; which: number }
  | { do: "decide"; which: number; approved: boolean }
  | { do: "contest"; which: number }
  | { do: "endContest"; which: number; won: boolean }
  | { do: "endRefund"; which: number }
  | { do: "refundByHand"; which: number; amount: number | null };

/** A change that can be made now. */
type Act = () => void;

/** Acquirers that have not said how a card was decided. */
const UNDECIDED = new Set(["processing", "with_error"]);
/** A boleto can be paid also after it was cancelled. */
const PAYABLE = new Set(["waiting", "canceled", "pending"]);

/** Whether something happens at the houses, and not at the company. */
export function isHouseAct(step: { do: string }): step is HouseAct {
  return Object.hasOwn(ACTS, step.do);
}

/** Does it at one of the charges of which it is possible; answers whether there was one. */
export function actAtHouses(houses: Houses, act: HouseAct): boolean {
  const possible = possibleActs(houses, act);
  possible[act.which % possible.length]?.();
  return possible.length > 0;
}

/** Ends everything that is in progress at the houses, with these decisions in turn. */
export function endAll(houses: Houses, decisions: readonly boolean[]): void {
  let turn = 0;
  const decide = () => decisions[turn++ % decisions.length] ?? true;
  for (;;) {
    const hasEnded = [
      actAtHouses(houses, { do: "endContest", which: 0, won: decide() }),
      actAtHouses(houses, { do: "decide", which: 0, approved: decide() }),
      actAtHouses(houses, { do: "credit", which: 0 }),
      actAtHouses(houses, { do: "endRefund", which: 0 }),
    ];
    if (!hasEnded.includes(true)) return;
  }
}

function possibleActs(houses: Houses, act: HouseAct): Act[] {
  const acts = ACTS[act.do] as (at: Houses, what: HouseAct) => Act[];
  return acts(houses, act);
}

const ACTS: {
  [Kind in HouseAct["do"]]: (houses: Houses, step: Extract<HouseAct, { do: Kind }>) => Act[];
} = {
  pay: (houses, { other, byPix }) => [
    ...atEfi(houses, ({ status, payment, paidAt }) => {
      const isBoleto = payment?.banking_billet !== undefined;
      return isBoleto && PAYABLE.has(status) && paidAt === null;
    }).map(({ custom_id: id, total }) => () => {
      houses.efi.pay(id ?? "", { value: other ?? total, by: byPix ? "pix" : "bank" });
    }),
    ...atPagarMe(houses, ({ payment_method: method, status, paid_at: paidAt }) => {
      return method === "boleto" && PAYABLE.has(status) && paidAt === undefined;
    }).map(({ code, charge }) => () => {
      houses.pagarme.payBoleto(code, other ?? charge.amount);
    }),
  ],
  credit: (houses) =>
    atEfi(houses, ({ status }) => status === "approved").map(({ custom_id: id }) => () => {
      houses.efi.pay(id ?? "");
    }),
  settleByHand: (houses) =>
    atEfi(houses, ({ status, payment }) => {
      return status === "waiting" && payment?.banking_billet !== undefined;
    }).map((charge) => () => houses.efi.book.change(charge, "settled")),
  decide: (houses, { approved }) =>
    atPagarMe(houses, ({ last_transaction: last }) => UNDECIDED.has(last.status)).map(
      ({ code }) =>
        () =>
          houses.pagarme.decideCard(code, approved ? "approved" : "not_authorized"),
    ),
  contest: (houses) => [
    ...atEfi(
      houses,
      (charge) => isCard(charge) && ["approved", "paid"].includes(charge.status),
    ).map(
      ({ custom_id: id }) =>
        () =>
          houses.efi.contest(id ?? ""),
    ),
    ...atPagarMe(houses, isRefundable).map(
      ({ code }) =>
        () =>
          houses.pagarme.chargeBack(code),
    ),
  ],
  endContest: (houses, { won }) =>
    atEfi(houses, ({ status }) => status === "contested").map(({ custom_id: id }) => () => {
      houses.efi.endContest(id ?? "", won);
    }),
  endRefund: (houses) => [
    ...atEfi(houses, ({ status, custom_id: id }) => {
      return status === "paid" && houses.efi.openRefunds(id ?? "").length > 0;
    }).map(({ custom_id: id }) => () => {
      houses.efi.giveBack(id ?? "");
    }),
    ...atPagarMe(houses, ({ last_transaction: last }) => {
      return last.status === "waiting_cancellation";
    }).map(
      ({ code }) =>
        () =>
          houses.pagarme.endRefund(code),
    ),
  ],
  refundByHand: (houses, { amount }) => [
    ...atEfi(houses, (charge) => {
      const isUntouched = houses.efi.openRefunds(charge.custom_id ?? "").length === 0;
      return isCard(charge) && charge.status === "paid" && isUntouched;
    }).map(
      ({ custom_id: id }) =>
        () =>
          houses.efi.refundByHand(id ?? ""),
    ),
    ...atPagarMe(houses, isRefundable).map(({ code, charge }) => () => {
      const left = charge.paid_amount - houses.pagarme.book.givenBackOf(charge.id);
      houses.pagarme.refundByHand(code, Math.min(left, amount ?? left));
    }),
  ],
};

/** Efí's charges of ours that somebody can pay or has paid, of which something is true. */
function atEfi({ efi }: Houses, isIt: (charge: EfiCharge) => boolean): EfiCharge[] {
  return efi.book.charges.filter((charge) => charge.status !== "new" && isIt(charge));
}

function atPagarMe({ pagarme }: Houses, isIt: (charge: any) => boolean) {
  return pagarme.book.orders
    .map(({ code, charges: [charge] }): { code: string; charge: any } => ({ code, charge }))
    .filter(({ charge }) => isIt(charge));
}

function isCard({ payment }: EfiCharge): boolean {
  return payment?.credit_card !== undefined;
}

/** A card's payment of which something is left, and nothing under way. */
function isRefundable({ payment_method: method, status, last_transaction: last }: any): boolean {
  const hasMoney = status === "paid" || status === "partial_canceled";
  return method === "credit_card" && hasMoney && last.status !== "waiting_cancellation";
}
