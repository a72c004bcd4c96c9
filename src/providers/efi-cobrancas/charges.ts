import { mayBeForgotten } from "../../domain/psp/provider-refs.ts";
import type { ListPage, ListedRecord } from "../provider.ts";
import type { UnreadableRecord } from "../charge.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { createdAtOfTransactionId } from "../../domain/shared/ids.ts";
import { isPossibleTime } from "../calls/told-time.ts";
import { describeZodError } from "../pix-api/unreadable-record.ts";
import { chargeReport, paidByOf, unreadableCharge, type EfiReport } from "./charge-report.ts";
import { parseAs, type EfiClient } from "./client.ts";
import {
  CHARGE_TYPES,
  chargeIdOf,
  listCall,
  readPage,
  windowAround,
  type ChargeType,
} from "./lists.ts";
import { meaningOf } from "./problems.ts";
import {
  paymentIdOf,
  txidOfCode,
  type ChargeRef,
  type EfiRefs,
  type KnownRef,
  type Seen,
  type EfiCharge,
} from "./refs.ts";
import { timeOf } from "./time.ts";
import { Detail, ListEntry } from "./wire.ts";

/** A charge as Efí has it. `not_found`: we made none by this id. */
export type FoundCharge =
  | { kind: "found"; about: EfiCharge; detail: Detail }
  | { kind: "not_found" }
  | { kind: "unknown" };

const TYPE_OF = { BOLETO: "billet", CREDIT_CARD: "card" } as const satisfies Record<
  ChargeRef["method"],
  ChargeType
>;
/** How late an entry may come into its list: the passes over older days find any later one. */
const LATE_MS = 60 * 60_000;
const DAY_LENGTH = "YYYY-MM-DD".length;
/** States in which money may have come; how much for a boleto only the list tells. */
const MAY_BE_PAID = new Set(["paid", "contested", "refunded"]);

/** Reads our charges at Efí: by the ids that were stored, in its lists, and what they say. */
export class EfiCharges {
  readonly #client: EfiClient;
  readonly #refs: EfiRefs;
  readonly #clock: Clock;

  constructor(parts: { client: EfiClient; refs: EfiRefs; clock: Clock }) {
    this.#client = parts.client;
    this.#refs = parts.refs;
    this.#clock = parts.clock;
  }

  /** The ref of a charge with Efí's id, found by `custom_id` where its answer was lost. Who makes it stores the id. */
  async locate(
    chargeId: string,
    ref: ChargeRef,
  ): Promise<{ kind: "found"; ref: KnownRef } | { kind: "not_found" } | { kind: "unknown" }> {
    if (ref.efiId !== undefined) return { kind: "found", ref: { ...ref, efiId: ref.efiId } };
    const located = await this.#byCustomId(chargeId, ref.firstAt);
    return located.kind === "found" ? { kind: "found", ref: { ...ref, ...located } } : located;
  }

  async find(chargeId: string): Promise<FoundCharge> {
    const ref = await this.#refs.charge(chargeId);
    if (ref === null) return this.#findForgotten(chargeId);
    const located = await this.locate(chargeId, ref);
    return located.kind === "found" ? this.read(chargeId, located.ref) : located;
  }

  /** Efí's id of our charge: of the only one that can be paid, else of the oldest inert one. */
  async #byCustomId(
    chargeId: string,
    firstAt: number,
  ): Promise<{ kind: "found"; efiId: number } | { kind: "not_found" } | { kind: "unknown" }> {
    const entries: ListEntry[] = [];
    // Efí does not say of which type a charge is before its method is set.
    for (const type of CHARGE_TYPES) {
      const listed = await this.#listed(chargeId, { firstAt }, type);
      if (listed === null) return { kind: "unknown" };
      entries.push(...listed);
    }
    const payable = new Set(entries.filter(({ status }) => status !== "new").map(({ id }) => id));
    if (payable.size > 1) return { kind: "unknown" };
    const [efiId] = payable.size === 1 ? payable : entries.map(({ id }) => id).toSorted(byNumber);
    return efiId === undefined ? { kind: "not_found" } : { kind: "found", efiId };
  }

  /** A charge of which nothing is remembered, as after a restore of the database. What is found is remembered anew. */
  async #findForgotten(chargeId: string): Promise<FoundCharge> {
    if (!mayBeForgotten(chargeId, this.#clock.now())) return { kind: "not_found" };
    const firstAt = createdAtOfTransactionId(chargeId);
    const located = await this.#byCustomId(chargeId, firstAt);
    if (located.kind !== "found") return located;
    const { efiId } = located;
    const answer = await this.#client.call({ method: "GET", path: ["charge", efiId] });
    const detail = parseAs(Detail, answer)?.data ?? null;
    if (detail === null || detail.charge_id !== efiId || !names(detail, chargeId)) {
      return { kind: "unknown" };
    }
    // Who makes the charge goes on with an inert one.
    if (detail.payment === null || detail.payment === undefined) return { kind: "not_found" };
    const { method: paidBy, banking_billet: billet } = detail.payment;
    const method = paidBy === "credit_card" ? "CREDIT_CARD" : "BOLETO";
    const made = { method, amount: detail.total, firstAt, efiId } as const;
    const ref = await this.#refs.settle(chargeId, made);
    const pixTxid = txidOfCode(billet?.pix?.qrcode ?? "");
    if (pixTxid === null || ref.efiId !== efiId) return this.read(chargeId, ref);
    await this.#refs.savePixOf(chargeId, { ...ref, pixTxid });
    return this.read(chargeId, { ...ref, pixTxid });
  }

  /** `GET /v1/charge/:id`, and the list where only that says what was paid. */
  async read(chargeId: string, ref: KnownRef): Promise<FoundCharge> {
    const answer = await this.#client.call({ method: "GET", path: ["charge", ref.efiId] });
    if (answer.kind === "problem" && meaningOf(answer.code) === "not_found") {
      return { kind: "not_found" };
    }
    const read = parseAs(Detail, answer);
    // Ids of Efí are plain numbers: another account's may be asked for by mistake.
    if (read === null || read.data.charge_id !== ref.efiId || !names(read.data, chargeId)) {
      return { kind: "unknown" };
    }
    const detail = read.data;
    const isBoleto = ref.method === "BOLETO";
    // It may have been made long after the first attempt.
    const firstAt = timeOf(detail.created_at) ?? ref.firstAt;
    const entries =
      isBoleto && MAY_BE_PAID.has(detail.status)
        ? await this.#listed(chargeId, { firstAt }, TYPE_OF[ref.method])
        : [];
    if (entries === null) return { kind: "unknown" };
    const entry = entries.find(({ id }) => id === ref.efiId);
    const about: EfiCharge = {
      chargeId,
      ref,
      ...(await this.#remembersOf(chargeId, ref, detail.status)),
      status: detail.status,
      reason: detail.reason ?? null,
      history: detail.history,
      decidedAt: detail.payment?.created_at ?? null,
      paid: entry?.payment ?? null,
    };
    return { kind: "found", about: await this.#remembered(about), detail };
  }

  report(about: EfiCharge): EfiReport {
    return chargeReport(about, this.#clock.now());
  }

  /** Payments of one page of both types, of which each ends by itself: boletos by payment, cards by creation. */
  async listPayments(window: { from: number; to: number }, page: number): Promise<ListPage> {
    const records: ListedRecord[] = [];
    const unreadable: UnreadableRecord[] = [];
    const entries: unknown[] = [];
    let hasMore = false;
    for (const type of CHARGE_TYPES) {
      // A card has no day of payment until it is credited, weeks later, and its payer may claim it back before.
      const dateOf = type === "card" ? "creation" : "payment";
      const call = listCall(type, window, { dateOf, page });
      const read = readPage(await this.#client.call(call), page);
      if (read === null) return { kind: "unknown" };
      hasMore ||= read.hasMore;
      entries.push(...read.entries.filter((entry) => !isBefore(entry, window.from)));
    }
    const refs = await this.#refs.ahead(entries.flatMap((entry) => ourChargeOf(entry) ?? []));
    for (const entry of entries) {
      const listed = await this.#readEntry(entry, refs);
      records.push(...listed.records);
      unreadable.push(...listed.unreadable);
    }
    return { kind: "known", records, unreadable, hasMore };
  }

  /** Reads one entry by itself. Charges that others made are left out. */
  async #readEntry(
    raw: unknown,
    refs: EfiRefs,
  ): Promise<{ records: ListedRecord[]; unreadable: UnreadableRecord[] }> {
    const nothing = { records: [], unreadable: [] };
    const { id, status } = fieldsOf(raw);
    const chargeId = ourChargeOf(raw);
    if (chargeId === null) return nothing;
    const ref = (await refs.charge(chargeId)) ?? (await this.#foundRef(chargeId));
    if (ref === null) return nothing;
    const seen = await refs.seen(chargeId);
    const paymentId = paymentIdOf(Number(id), seen.paidBy);
    const missed = (fault: string) => ({
      records: [],
      unreadable: [unreadableCharge(paymentId, chargeId, String(status), fault)],
    });
    const read = ListEntry.safeParse(raw);
    if (!read.success) return missed(describeZodError(read.error));
    if (read.data.id !== ref.efiId) return missed("id: Not the charge that was registered");
    const about = await this.#remembered({
      chargeId,
      ref: { ...ref, efiId: read.data.id },
      seen,
      refunds: ref.method === "CREDIT_CARD" ? await refs.refunds(chargeId) : [],
      status: read.data.status,
      reason: null,
      history: [],
      decidedAt: read.data.payment?.paid_at ?? null,
      paid: read.data.payment ?? null,
    });
    const report = this.report(about);
    if (report.kind === "unclear") return missed(report.fault);
    if (report.kind === "not_found") return nothing;
    const { payments, disputes, refunds, status: told } = report.charge;
    // The answer to a younger one's order may still be to come, and says more.
    const isSettled = createdAtOfTransactionId(chargeId) + LATE_MS <= this.#clock.now();
    if ((told === "cancelled" || told === "refused") && isSettled) {
      const { charge } = report;
      return { records: [{ kind: "charge", chargeId, charge }], unreadable: report.unreadable };
    }
    return {
      records: payments.map((payment) => ({
        kind: "payment",
        payment: { ...payment, chargeId, disputes, refunds },
      })),
      unreadable: report.unreadable,
    };
  }

  /** The ref of a charge in a list that is forgotten, found anew; null for one that is not ours. */
  async #foundRef(chargeId: string): Promise<ChargeRef | null> {
    const found = await this.#findForgotten(chargeId);
    return found.kind === "found" ? found.about.ref : null;
  }

  /** What is remembered of a charge that may have money; nothing of any other. */
  async #remembersOf(
    chargeId: string,
    { method }: KnownRef,
    status: EfiCharge["status"],
  ): Promise<Pick<EfiCharge, "seen" | "refunds">> {
    if (!MAY_BE_PAID.has(status)) return { seen: {}, refunds: [] };
    const refunds = method === "CREDIT_CARD" ? await this.#refs.refunds(chargeId) : [];
    return { seen: await this.#refs.seen(chargeId), refunds };
  }

  /** Keeps what must not be forgotten: how a boleto was paid, and that a payer claimed the money back, or lost that claim. */
  async #remembered(about: EfiCharge): Promise<EfiCharge> {
    const { ref, seen: before, status, chargeId } = about;
    const isTold = (about.paid?.paid_value ?? before.told?.value) !== undefined;
    const isPaid = ref.method === "BOLETO" && MAY_BE_PAID.has(status) && isTold;
    const known = before.chargebacks ?? 0;
    const isOpen = known > 0 && before.won !== true;
    const added: Seen = {
      ...(isPaid ? { paidBy: paidByOf(about) } : {}),
      ...(status === "contested" ? { chargebacks: known + (isOpen ? 0 : 1), won: false } : {}),
      ...(status === "paid" && known > 0 ? { won: true } : {}),
    };
    const isKnown = (["paidBy", "chargebacks", "won"] as const).every(
      (name) => added[name] === undefined || added[name] === before[name],
    );
    return isKnown ? about : { ...about, seen: await this.#refs.addSeen(chargeId, added) };
  }

  /** Its entries of one type; null where they, or one of them, cannot be read. */
  async #listed(
    chargeId: string,
    ref: Pick<ChargeRef, "firstAt">,
    type: ChargeType,
  ): Promise<ListEntry[] | null> {
    const query = { dateOf: "creation", page: 0, customId: chargeId } as const;
    const call = listCall(type, windowAround(ref.firstAt), query);
    const page = readPage(await this.#client.call(call), 0);
    const read = page?.entries.map((entry) => ListEntry.safeParse(entry));
    if (read === undefined || read.some(({ success }) => !success)) return null;
    return read.flatMap(({ data }) => (data !== undefined && names(data, chargeId) ? [data] : []));
  }
}

function byNumber(left: number, right: number): number {
  return left - right;
}

function names(
  { custom_id: customId }: { custom_id?: string | null | undefined },
  chargeId: string,
) {
  return chargeIdOf(customId) === chargeId;
}

/**
 * Whether a payment was made long before a time (epoch ms): Efí lists whole days, and an earlier read had it. A time of
 * midnight may be a day only; one that cannot be says nothing.
 */
function isBefore(raw: unknown, from: number): boolean {
  const paidAt = ListEntry.safeParse(raw).data?.payment?.paid_at ?? "";
  const at = paidAt.endsWith("00:00:00") ? null : timeOf(paidAt);
  const since = createdAtOfTransactionId(ourChargeOf(raw) ?? "");
  return (
    paidAt.length > DAY_LENGTH &&
    at !== null &&
    at < from - LATE_MS &&
    isPossibleTime(at, { since, nowMs: from }, null)
  );
}

/** Our charge that an entry of any shape names; null for one that others made. */
function ourChargeOf(raw: unknown): string | null {
  const { custom_id: customId } = fieldsOf(raw);
  return chargeIdOf(typeof customId === "string" ? customId : null);
}

function fieldsOf(raw: unknown): Record<string, unknown> {
  return typeof raw === "object" && raw !== null ? Object.fromEntries(Object.entries(raw)) : {};
}
