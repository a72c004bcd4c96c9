import * as fc from "fast-check";
import type { ReceivedPix } from "../../support/fakes/fake-psp/book.ts";
import type { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import { pick } from "./pick.ts";

/**
 * What happens to a record at one of a company's PSPs: payers, their banks, and the account's owner in the bank's app.
 * Numbers select an item modulo the number of items.
 */
export type BankAct =
  | { do: "pay"; which: number; other: number | null }
  | { do: "dispute"; which: number; amount: number | null }
  | { do: "refundByOthers"; which: number; amount: number }
  | { do: "endReturn"; which: number; done: boolean }
  | { do: "endPayout"; which: number; paid: boolean }
  | { do: "returnPayout"; which: number; amount: number | null }
  | { do: "unreadable"; which: number };

export const anyIndex = fc.nat(99);
export const cents = fc.integer({ min: 100, max: 50_000 });
export const maybeCents = fc.option(cents, { freq: 3 });
/** Mostly the charge's amount. */
const otherAmount: fc.Arbitrary<number | null> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: cents },
);

/** Random acts, by their kind. */
export const BANK_ACTS: {
  readonly [Kind in BankAct["do"]]: fc.Arbitrary<Extract<BankAct, { do: Kind }>>;
} = {
  pay: fc.record({ do: fc.constant("pay"), which: anyIndex, other: otherAmount }),
  dispute: fc.record({ do: fc.constant("dispute"), which: anyIndex, amount: maybeCents }),
  refundByOthers: fc.record({
    do: fc.constant("refundByOthers"),
    which: anyIndex,
    amount: cents,
  }),
  endReturn: fc.record({ do: fc.constant("endReturn"), which: anyIndex, done: fc.boolean() }),
  endPayout: fc.record({ do: fc.constant("endPayout"), which: anyIndex, paid: fc.boolean() }),
  returnPayout: fc.record({ do: fc.constant("returnPayout"), which: anyIndex, amount: maybeCents }),
  unreadable: fc.record({ do: fc.constant("unreadable"), which: anyIndex }),
};

export function isBankAct(step: { do: string }): step is BankAct {
  return Object.hasOwn(BANK_ACTS, step.do);
}

/** Does it at one of the records of which it is possible. */
export function actAtBanks(psps: readonly FakePsp[], act: BankAct): void {
  const received = receivedAt(psps);
  if (act.do === "pay") return pay(psps, act);
  if (act.do === "endPayout" || act.do === "returnPayout") return finishPayout(psps, act);
  if (received.length === 0) return undefined;
  const { psp, pix } = pick(received, act.which);
  switch (act.do) {
    case "dispute":
    case "refundByOthers": {
      const left = centsOf(psp.remainingAmount(pix.endToEndId));
      const amount = Math.min(left, act.amount ?? left);
      if (amount === 0) return undefined;
      if (act.do === "dispute") psp.dispute(pix.endToEndId, valorOf(amount));
      else psp.refundExternally(pix.endToEndId, valorOf(amount));
      return undefined;
    }
    case "endReturn":
      return finishReturn(received, act);
    case "unreadable":
      return psp.book.views.makeUnreadable(pix.endToEndId);
  }
}

function pay(psps: readonly FakePsp[], act: Extract<BankAct, { do: "pay" }>): void {
  const cobs = psps.flatMap((psp) =>
    [...psp.book.cobs].map(([txid, { status }]) => ({ psp, txid, status })),
  );
  const payable = cobs.filter(({ status }) => status === "ATIVA" || status === "CONCLUIDA");
  if (payable.length === 0) return;
  const { psp, txid } = pick(payable, act.which);
  psp.pay(txid, act.other === null ? undefined : valorOf(act.other));
}

/** Settles a pending refund or MED. */
function finishReturn(
  received: { psp: FakePsp; pix: ReceivedPix }[],
  { which: number, done }: { which: number; done: boolean },
): void {
  const open = received.flatMap(({ psp, pix }) =>
    pix.devolucoes
      .filter(({ status }) => status === "EM_PROCESSAMENTO")
      .map(({ id }) => ({ psp, endToEndId: pix.endToEndId, id })),
  );
  if (open.length === 0) return;
  const { psp, endToEndId, id } = pick(open, number);
  psp.settleDevolucao(endToEndId, id, done ? "DEVOLVIDO" : "NAO_REALIZADO");
}

function finishPayout(
  psps: readonly FakePsp[],
  act: Extract<BankAct, { do: "endPayout" | "returnPayout" }>,
): void {
  const wanted = act.do === "endPayout" ? "EM_PROCESSAMENTO" : "REALIZADO";
  const found = psps.flatMap((psp) =>
    [...psp.book.envios]
      .filter(([, envio]) => envio.idEnvio !== undefined && envio.status === wanted)
      .map(([idEnvio, envio]) => ({ psp, idEnvio, envio })),
  );
  if (found.length === 0) return;
  const { psp, idEnvio, envio } = pick(found, act.which);
  if (act.do === "endPayout") {
    return psp.settlePayout(idEnvio, act.paid ? "REALIZADO" : "NAO_REALIZADO");
  }
  const back = envio.devolucoes.reduce((sum, { valor }) => sum + centsOf(valor), 0);
  const left = centsOf(envio.valor) - back;
  const amount = Math.min(left, act.amount ?? left);
  if (amount > 0) psp.returnPayout(idEnvio, valorOf(amount));
}

/** Ends every pending refund and MED, with these decisions in turn. */
export function endReturns(psps: readonly FakePsp[], decisions: readonly boolean[]): void {
  const received = receivedAt(psps);
  for (let turn = 0; received.some(({ pix }) => isOpen(pix)); turn++)
    finishReturn(received, { which: 0, done: pick(decisions, turn) });
}

function receivedAt(psps: readonly FakePsp[]): { psp: FakePsp; pix: ReceivedPix }[] {
  return psps.flatMap((psp) => psp.book.received.map((pix) => ({ psp, pix })));
}

function isOpen({ devolucoes }: { devolucoes: { status: string }[] }): boolean {
  return devolucoes.some(({ status }) => status === "EM_PROCESSAMENTO");
}

/** In reais, as PSPs say it. */
export function valorOf(amount: number): string {
  return (amount / 100).toFixed(2);
}

function centsOf(valor: string): number {
  return Number(valor.replace(".", ""));
}
