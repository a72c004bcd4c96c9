import { callsTo } from "../../support/builders/companies/calls.ts";
import { CURRENCY } from "../../../src/domain/shared/money.ts";
import { cents, type Envio, type ReceivedPix } from "../../support/fakes/fake-psp/book.ts";
import { inAccount } from "../../support/builders/companies/company.ts";
import type { LiveWorld } from "../../support/builders/providers/psp.ts";
import type { Simulation } from "./simulation.ts";

/** More lines than any life has. */
const LINES_MAX = 100_000;

/** The company of a life. */
interface LivedCompany {
  world: Pick<LiveWorld, "company">;
}

/** A company's money from the outside world: per charge, per withdraw, and without either. */
type NetAmounts = Map<string, number>;

/** A text that names objects, and centavos of them. */
interface Named {
  text: string;
  amount: number;
}

/** What operators have not decided yet. */
interface OpenContradiction extends Named {
  /** Whether nobody could read the amount. */
  isUnreadable: boolean;
}

/**
 * Differences between the ledger and the banks' books, by object. The banks' books are the truth.
 * A difference within the amount of the open contradictions that name its object is left to an operator, and any
 * difference of a record that nobody could read.
 */
export async function mismatches(life: Simulation): Promise<string[]> {
  const [ours, open] = await Promise.all([netInLedger(life), openContradictions(life)]);
  const disputed = open.map(({ text, amount, isUnreadable }) => {
    return { text, amount: isUnreadable ? Infinity : amount };
  });
  const atBanks = netAtBanks(life);
  const theirs = atBanks.net;
  const objects = new Set([...ours.keys(), ...theirs.keys()]);
  return [...objects].flatMap((object) => {
    const [here, there] = [ours.get(object) ?? 0, theirs.get(object) ?? 0];
    if (here === there) return [];
    const names = [object, ...(atBanks.names.get(object) ?? [])];
    if (Math.abs(here - there) <= inQuestion(disputed, names)) return [];
    return [`${object}: the banks have ${there}, the ledger ${here}`];
  });
}

/** A company's ledger by charge and payout, in centavos. */
export async function netInLedger({ world }: LivedCompany): Promise<NetAmounts> {
  const query = { currency: CURRENCY, after: 0, limit: LINES_MAX, from: null, to: null };
  const lines = await callsTo(world.company.id).statement(query);
  const payments = await inAccount(world.company.id, (_, { storage }) =>
    storage.sql
      .exec<{ id: number; payout: string }>("SELECT id, payout_id AS payout FROM withdraws")
      .toArray(),
  );
  const payoutIds = new Map(payments.map(({ id, payout }) => [id, payout]));
  const net: NetAmounts = new Map();
  for (const { transactionId, withdrawId, amount } of lines) {
    const payout = withdrawId === null ? undefined : payoutIds.get(withdrawId);
    add(net, transactionId ?? payout ?? "neither", amount);
  }
  return net;
}

/** The banks' amount of each object and its ids at the banks. */
function netAtBanks({ psps }: Simulation): { net: NetAmounts; names: Map<string, string[]> } {
  const net: NetAmounts = new Map();
  const names = new Map<string, string[]>();
  const name = (object: string, each: string[]) =>
    names.set(object, [...(names.get(object) ?? []), ...each]);
  for (const { book } of psps) {
    for (const pix of book.received) {
      add(net, chargeOf(pix), netReceived(pix));
      name(chargeOf(pix), [pix.endToEndId, ...(pix.txid === undefined ? [] : [pix.txid])]);
    }
    for (const envio of book.envios.values()) {
      const { idEnvio, endToEndId } = envio;
      add(net, payoutOf(envio), -netPaidOut(envio));
      name(payoutOf(envio), [endToEndId, ...(idEnvio === undefined ? [] : [idEnvio])]);
    }
  }
  return { net, names };
}

/** The open contradictions; an unexpected payment is booked, so it is none. */
export async function openContradictions({ world }: LivedCompany): Promise<OpenContradiction[]> {
  const rows = await inAccount(world.company.id, (_, { storage }) =>
    storage.sql
      .exec<{ text: string; amount: number; kind: string }>(
        `SELECT json_array(finding, object, said, booked) AS text, amount, kind FROM contradictions
         WHERE status <> 'decided' AND kind <> 'payment_set_aside'`,
      )
      .toArray(),
  );
  return rows.map(({ text, amount, kind }) => {
    return { text, amount, isUnreadable: kind === "record_unreadable" };
  });
}

/** Centavos of the contradictions that name an object. */
export function inQuestion(open: readonly Named[], names: readonly string[]): number {
  return open
    .filter(({ text }) => names.some((name) => text.includes(name)))
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** The transaction of a payment; a txid is its id without hyphens. */
function chargeOf({ txid }: ReceivedPix): string {
  return txid === undefined ? "neither" : withHyphens(txid);
}

/** The payout's id, or the end-to-end id of an external payout. */
function payoutOf({ idEnvio, endToEndId }: Envio): string {
  return idEnvio === undefined ? endToEndId : withHyphens(idEnvio);
}

function withHyphens(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function netReceived({ valor, devolucoes }: ReceivedPix): number {
  const back = devolucoes.filter(({ status }) => status === "DEVOLVIDO");
  return cents(valor) - back.reduce((sum, devolucao) => sum + cents(devolucao.valor), 0);
}

function netPaidOut({ valor, status, devolucoes }: Envio): number {
  if (status === "NAO_REALIZADO") return 0;
  const back = devolucoes.filter((devolucao) => devolucao.status === "DEVOLVIDO");
  return cents(valor) - back.reduce((sum, devolucao) => sum + cents(devolucao.valor), 0);
}

function add(net: NetAmounts, object: string, amount: number): void {
  net.set(object, (net.get(object) ?? 0) + amount);
}
