import type { Envio, ReceivedPix } from "../../support/fakes/fake-psp/book.ts";
import { netExternalAmount, balancesOf } from "../lib/checks/check-statement.ts";
import { isAcknowledged, isOpen, type Journal } from "../lib/journal.ts";
import { acknowledged, intentsBySubject } from "../lib/checks/check-durability.ts";
import type { Observed } from "../lib/observe.ts";
import { centsOf, type LiveBank } from "./live-bank.ts";

/** Where the money of a company that nothing is under way for may not be. */
const EMPTY_WHEN_IDLE = ["blocked", "payout"];
/** What came for no charge. */
const TO_THE_KEY = "payments to the key";

/** An open contradiction that says that bank and books differ. */
export interface Dispute {
  object: string;
  /** What the provider said, and what was booked, as it is kept. */
  text: string;
  /** Centavos that are in question. */
  amount: number;
}

/** What a company's API does not show: under which id its PSP has each withdraw, and what is disputed. */
export interface StoredState {
  payoutIds: ReadonlyMap<number, string>;
  disputes: readonly Dispute[];
}

/** What money is about, and what a contradiction may call that. */
interface NetSide {
  net: number;
  names: Set<string>;
}

/**
 * Where a company's books and its bank's differ: of each charge, of each withdraw and of what came for
 * neither, what came from outside and what left, to the centavo. A difference that contradictions name
 * is for a person to settle, up to their amounts: it is counted, not told.
 */
export function bankAgreementProblems(
  bank: Pick<LiveBank, "psp">,
  observed: Observed,
  stored: StoredState,
): { problems: string[]; disputed: number } {
  const theirs = netAtBank(bank);
  const ours = netInLedger(observed, stored.payoutIds);
  const problems = [...duplicatePayouts(bank), ...idleProblems(observed)];
  const withdraws = new Map([...stored.payoutIds].map(([id, payoutId]) => [payoutId, id]));
  let disputed = 0;
  for (const about of new Set([...theirs.keys(), ...ours.keys()])) {
    const { net, names } = theirs.get(about) ?? { net: 0, names: new Set([about]) };
    const booked = ours.get(about) ?? 0;
    if (booked === net) continue;
    const withdraw = `withdraw:${withdraws.get(about)}`;
    const isNamed = ({ object, text }: Dispute) =>
      object === withdraw || [...names].some((name) => `${object} ${text}`.includes(name));
    const inQuestion = stored.disputes.filter(isNamed).reduce((sum, { amount }) => sum + amount, 0);
    if (Math.abs(booked - net) <= inQuestion) disputed += 1;
    else {
      const excuse = inQuestion === 0 ? "" : `, ${inQuestion} disputed`;
      problems.push(`lost: ${about}: the bank has ${net} of it, we have ${booked}${excuse}`);
    }
  }
  return { problems, disputed };
}

/** What was acknowledged is there, once. */
export function lostProblems(journal: Journal, observed: Observed): string[] {
  const { companyId, transactions, withdraws } = observed;
  const problems: string[] = [];
  for (const kind of ["create", "withdraw"] as const) {
    const rows = kind === "create" ? transactions : withdraws;
    const seen = new Map<string | null, string | number>();
    for (const { key, id } of rows) {
      if (seen.has(key)) problems.push(`doubled: ${key} made ${seen.get(key)} and ${id}`);
      seen.set(key, id);
    }
    for (const intent of journal.of(companyId, kind).filter(isAcknowledged)) {
      const made = (kind === "create" ? intent.answer.data.id : intent.answer.id) as string;
      const found = seen.get(intent.key);
      if (found !== made) problems.push(`lost: ${intent.key} made ${made}, there is ${found}`);
    }
  }
  return [...problems, ...refundProblems(journal, observed)];
}

/** Each refund that was accepted is booked once; one without an answer may be. */
function refundProblems(journal: Journal, { companyId, transactions, movements }: Observed) {
  const intents = intentsBySubject(journal, companyId);
  return transactions.flatMap(({ id }) => {
    const refunds = (intents.get(id) ?? []).filter(({ kind }) => kind === "refund");
    const booked = movements.filter(
      ({ type, transactionId }) => type === "refund_requested" && transactionId === id,
    ).length;
    // Its answer said that the money was set aside and the provider refused, so it was booked too.
    const refused = refunds.filter(({ answer }) => answer?.code === "REFUND_REFUSED").length;
    const least = acknowledged(refunds).length + refused;
    const most = least + refunds.filter(isOpen).length;
    if (booked < least) return [`lost: refund of ${id}: ${booked} of ${least}`];
    return booked > most ? [`doubled: refund of ${id}: ${booked}, asked for ${most}`] : [];
  });
}

/** What really happened to the money, by what it is about. */
function netAtBank({ psp }: Pick<LiveBank, "psp">): Map<string, NetSide> {
  const sides = new Map<string, NetSide>();
  const add = (about: string, net: number, name: string) => {
    const side = sides.get(about) ?? { net: 0, names: new Set([about]) };
    side.net += net;
    side.names.add(name);
    sides.set(about, side);
  };
  for (const pix of psp.book.received) {
    const about = pix.txid === undefined ? TO_THE_KEY : hyphenated(pix.txid);
    add(about, netReceived(pix), pix.endToEndId);
  }
  for (const envio of psp.book.envios.values()) {
    const about = envio.idEnvio === undefined ? envio.endToEndId : hyphenated(envio.idEnvio);
    add(about, -netPaidOut(envio), envio.endToEndId);
  }
  return sides;
}

function netInLedger(
  { movements }: Observed,
  payoutIds: ReadonlyMap<number, string>,
): Map<string, number> {
  const net = new Map<string, number>();
  for (const movement of movements) {
    const { transactionId, withdrawId } = movement;
    const payoutId =
      withdrawId === null ? TO_THE_KEY : (payoutIds.get(withdrawId) ?? `withdraw ${withdrawId}`);
    const about = transactionId ?? payoutId;
    net.set(about, (net.get(about) ?? 0) + netExternalAmount(movement));
  }
  return net;
}

function duplicatePayouts({ psp }: Pick<LiveBank, "psp">): string[] {
  return [...psp.book.payoutCounts]
    .filter(([, times]) => times > 1)
    .map(([idEnvio, times]) => `doubled: payout ${idEnvio} was sent ${times} times`);
}

/** Withdraws that have not ended, and money that is neither here nor there. */
function idleProblems({ companyId, lines, withdraws }: Observed): string[] {
  const open = withdraws.filter(({ status }) => status === "Awaiting" || status === "Processing");
  const problems = open.map(({ id, status }) => `lost: withdraw ${id} is still ${status}`);
  const sums = balancesOf(lines);
  for (const account of EMPTY_WHEN_IDLE) {
    const amount = sums[account] ?? 0;
    if (amount !== 0) problems.push(`wrong: ${account} of company ${companyId} is ${amount}`);
  }
  return problems;
}

/** A txid is our id without hyphens. */
function hyphenated(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What of a payment is still here. */
function netReceived({ valor, devolucoes }: ReceivedPix): number {
  return centsOf(valor) - returnedAmount(devolucoes);
}

/** What of a payout is gone for good. */
function netPaidOut({ valor, status, devolucoes }: Envio): number {
  return status === "NAO_REALIZADO" ? 0 : centsOf(valor) - returnedAmount(devolucoes);
}

function returnedAmount(devolucoes: readonly { status: string; valor: unknown }[]): number {
  return devolucoes
    .filter(({ status }) => status === "DEVOLVIDO")
    .reduce((sum, { valor }) => sum + centsOf(String(valor)), 0);
}
