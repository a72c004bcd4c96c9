import type { Envio, ReceivedPix } from "../../support/fakes/fake-psp/book.ts";
import { balancesOf, movementsBy, netExternalAmount } from "../lib/checks/check-statement.ts";
import { isAcknowledged, isOpen, type Journal } from "../lib/journal.ts";
import { decisionProblems } from "../lib/checks/check-decisions.ts";
import { acknowledged, intentsBySubject } from "../lib/checks/check-durability.ts";
import { proposalProblems } from "../lib/checks/check-proposals.ts";
import type { Observed } from "../lib/observe.ts";
import { centsOf, type LiveBank } from "./live-bank.ts";

/** Accounts that are empty once nothing is in progress. */
const EMPTY_WHEN_IDLE = ["blocked", "payout"];
/** Payments without a charge. */
const TO_THE_KEY = "payments to the key";

/** An open contradiction between bank and books. */
export interface Dispute {
  object: string;
  /** The provider's report and the booked state, as stored. */
  text: string;
  /** The disputed amount in centavos. */
  amount: number;
}

/**
 * State that a company's API does not show: each withdraw's id at the PSP, the transactions of refunds, and the open
 * contradictions.
 */
export interface StoredState {
  payoutIds: ReadonlyMap<number, string>;
  /** The transaction of each refund. */
  refundIds: ReadonlyMap<string, string>;
  /** Refunds that have not ended, by id, each as `id of 1234 (approval none)`: what holds money. */
  openRefunds: ReadonlyMap<string, string>;
  disputes: readonly Dispute[];
}

/** The object of an amount, and its names in contradictions. */
interface NetSide {
  net: number;
  names: Set<string>;
}

/**
 * Differences between a company's books and its bank's, to the centavo: per charge, per withdraw
 * and without either. A difference within the amount of contradictions is counted, not reported.
 */
export function bankAgreementProblems(
  bank: Pick<LiveBank, "psp">,
  observed: Observed,
  stored: StoredState,
): { problems: string[]; disputed: number } {
  const theirs = netAtBank(bank);
  const ours = netInLedger(observed, stored.payoutIds);
  const problems = [...duplicatePayouts(bank), ...idleProblems(observed, stored)];
  const withdraws = new Map([...stored.payoutIds].map(([id, payoutId]) => [payoutId, id]));
  let disputed = 0;
  for (const about of new Set([...theirs.keys(), ...ours.keys()])) {
    const { net, names } = theirs.get(about) ?? { net: 0, names: new Set([about]) };
    const booked = ours.get(about) ?? 0;
    if (booked === net) continue;
    const withdraw = `withdraw:${withdraws.get(about)}`;
    const isNamed = ({ object, text }: Dispute) =>
      object === withdraw ||
      stored.refundIds.get(object.replace(/^operation:/, "")) === about ||
      [...names].some((name) => `${object} ${text}`.includes(name));
    const inQuestion = stored.disputes.filter(isNamed).reduce((sum, { amount }) => sum + amount, 0);
    if (Math.abs(booked - net) <= inQuestion) disputed += 1;
    else {
      const excuse = inQuestion === 0 ? "" : `, ${inQuestion} disputed`;
      problems.push(`lost: ${about}: the bank has ${net} of it, we have ${booked}${excuse}`);
    }
  }
  return { problems, disputed };
}

/** Every acknowledged request has its effect once. */
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
  return [
    ...problems,
    ...refundProblems(journal, observed),
    ...returnProblems(journal, observed),
    ...decisionProblems(journal, observed),
    ...proposalProblems(journal, observed),
  ];
}

/** A return that was answered as done is done. */
function returnProblems(journal: Journal, { companyId, payments }: Observed): string[] {
  const statusOf = new Map(payments.map(({ id, status }) => [id, status]));
  return journal
    .of(companyId, "return")
    .filter(({ status }) => status === 200)
    .map(({ subject }) => String(subject))
    .filter((id) => statusOf.get(id) !== "returned")
    .map((id) => `lost: payment ${id} was returned and is ${statusOf.get(id)}`);
}

/** Each accepted refund is booked once; a refund without a response may be. */
function refundProblems(journal: Journal, { companyId, transactions, movements }: Observed) {
  const intents = intentsBySubject(journal, companyId);
  const onTransaction = movementsBy(movements, "transactionId");
  return transactions.flatMap(({ id }) => {
    const refunds = (intents.get(id) ?? []).filter(({ kind }) => kind === "refund");
    const booked = onTransaction(id).of("refund_requested").length;
    const ended = onTransaction(id).of("refund_done", "refund_failed").length;
    // The response said that the money was held and the provider rejected, so the refund was
    // booked too.
    const refused = refunds.filter(({ answer }) => answer?.code === "REFUND_REFUSED").length;
    const least = acknowledged(refunds).length + refused;
    const most = least + refunds.filter(isOpen).length;
    if (booked < least) return [`lost: refund of ${id}: ${booked} of ${least}`];
    if (booked > most) return [`doubled: refund of ${id}: ${booked}, asked for ${most}`];
    return ended > booked ? [`doubled: ${booked} refunds of ${id} ended ${ended} times`] : [];
  });
}

/** The bank's true amounts by object. */
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

/** Withdraws that have not ended, and money in transit. */
function idleProblems(
  { companyId, lines, withdraws }: Observed,
  { openRefunds }: StoredState,
): string[] {
  const unended = withdraws.filter(
    ({ status }) => status === "Awaiting" || status === "Processing",
  );
  const problems = unended.map(({ id, status }) => `lost: withdraw ${id} is still ${status}`);
  const sums = balancesOf(lines);
  for (const account of EMPTY_WHEN_IDLE) {
    const amount = sums[account] ?? 0;
    if (amount === 0) continue;
    const open =
      openRefunds.size === 0
        ? "no refund is open"
        : `open: ${[...openRefunds.values()].join(", ")}`;
    problems.push(`wrong: ${account} of company ${companyId} is ${amount} (${open})`);
  }
  return problems;
}

/** A txid is the charge's id without hyphens. */
function hyphenated(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The remaining amount of a payment. */
function netReceived({ valor, devolucoes }: ReceivedPix): number {
  return centsOf(valor) - returnedAmount(devolucoes);
}

/** The amount of a payout that was not returned. */
function netPaidOut({ valor, status, devolucoes }: Envio): number {
  return status === "NAO_REALIZADO" ? 0 : centsOf(valor) - returnedAmount(devolucoes);
}

function returnedAmount(devolucoes: readonly { status: string; valor: unknown }[]): number {
  return devolucoes
    .filter(({ status }) => status === "DEVOLVIDO")
    .reduce((sum, { valor }) => sum + centsOf(String(valor)), 0);
}
