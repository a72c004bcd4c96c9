import type { ListPage, UnreadableRecord, ListedRecord } from "../provider.ts";
import type { Clock } from "../../domain/shared/clock.ts";
import { describeZodError } from "../pix-api/unreadable-record.ts";
import {
  chargeReport,
  paidByOf,
  unreadableCharge,
  type EfiCharge,
  type EfiReport,
} from "./charge-report.ts";
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
import type { ChargeRef, EfiRefs, KnownRef } from "./refs.ts";
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
/** States of a boleto in which money may have come, which only the list tells. */
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

  /** The ref of a charge with Efí's id, found by `custom_id` where its answer was lost. */
  async locate(
    chargeId: string,
    ref: ChargeRef,
  ): Promise<{ kind: "found"; ref: KnownRef } | { kind: "not_found" } | { kind: "unknown" }> {
    if (ref.efiId !== undefined) return { kind: "found", ref: { ...ref, efiId: ref.efiId } };
    // Efí does not say of which type a charge is before its method is set.
    for (const type of CHARGE_TYPES) {
      const entries = await this.#listed(chargeId, ref, type);
      if (entries === null) return { kind: "unknown" };
      // The oldest: those after it are inert, for only one is stored and paid.
      const efiId = Math.min(...entries.map(({ id }) => id));
      if (!Number.isFinite(efiId)) continue;
      const known = { ...ref, efiId };
      await this.#refs.saveCharge(chargeId, known);
      return { kind: "found", ref: known };
    }
    return { kind: "not_found" };
  }

  async find(chargeId: string): Promise<FoundCharge> {
    const ref = await this.#refs.charge(chargeId);
    if (ref === null) return { kind: "not_found" };
    const located = await this.locate(chargeId, ref);
    return located.kind === "found" ? this.read(chargeId, located.ref) : located;
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
    const entries =
      isBoleto && MAY_BE_PAID.has(detail.status)
        ? await this.#listed(chargeId, ref, TYPE_OF[ref.method])
        : [];
    if (entries === null) return { kind: "unknown" };
    const entry = entries.find(({ id }) => id === ref.efiId);
    const about: EfiCharge = {
      chargeId,
      ref,
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

  /** Payments of one page of both types, of which each ends by itself. */
  async listPayments(window: { from: number; to: number }, page: number): Promise<ListPage> {
    const records: ListedRecord[] = [];
    const unreadable: UnreadableRecord[] = [];
    let hasMore = false;
    for (const type of CHARGE_TYPES) {
      const call = listCall(type, window, { dateOf: "payment", page });
      const read = readPage(await this.#client.call(call), page);
      if (read === null) return { kind: "unknown" };
      hasMore ||= read.hasMore;
      for (const entry of read.entries) {
        const listed = await this.#readEntry(entry);
        records.push(...listed.records);
        unreadable.push(...listed.unreadable);
      }
    }
    return { kind: "known", records, unreadable, hasMore };
  }

  /** Reads one entry by itself. Charges that others made are left out. */
  async #readEntry(
    raw: unknown,
  ): Promise<{ records: ListedRecord[]; unreadable: UnreadableRecord[] }> {
    const nothing = { records: [], unreadable: [] };
    const { custom_id: customId, id, status } = fieldsOf(raw);
    const chargeId = chargeIdOf(typeof customId === "string" ? customId : null);
    const ref = chargeId === null ? null : await this.#refs.charge(chargeId);
    if (chargeId === null || ref === null) return nothing;
    const missed = (fault: string) => ({
      records: [],
      unreadable: [
        unreadableCharge({ ...ref, efiId: Number(id) }, chargeId, String(status), fault),
      ],
    });
    const read = ListEntry.safeParse(raw);
    if (!read.success) return missed(describeZodError(read.error));
    if (read.data.id !== ref.efiId) return missed("id: Not the charge that was registered");
    const about = await this.#remembered({
      chargeId,
      ref: { ...ref, efiId: read.data.id },
      status: read.data.status,
      reason: null,
      history: [],
      decidedAt: read.data.payment?.paid_at ?? null,
      paid: read.data.payment ?? null,
    });
    const report = this.report(about);
    if (report.kind === "unclear") return missed(report.fault);
    if (report.kind === "not_found") return nothing;
    const { payments, disputes, refunds } = report.charge;
    return {
      records: payments.map((payment) => ({
        kind: "payment",
        payment: { ...payment, chargeId, disputes, refunds },
      })),
      unreadable: report.unreadable,
    };
  }

  /** Keeps what must not change once it was seen: how a boleto was paid, and that a payer claimed the money back. */
  async #remembered(about: EfiCharge): Promise<EfiCharge> {
    const { ref, status, chargeId } = about;
    const isTold = (about.paid?.paid_value ?? ref.told?.value) !== undefined;
    const isPaid = ref.method === "BOLETO" && MAY_BE_PAID.has(status) && isTold;
    const seen: KnownRef = {
      ...ref,
      ...(isPaid ? { paidBy: paidByOf(about) } : {}),
      ...(status === "contested" ? { contested: true } : {}),
    };
    if (seen.paidBy === ref.paidBy && seen.contested === ref.contested) return about;
    await this.#refs.saveCharge(chargeId, seen);
    return { ...about, ref: seen };
  }

  /** Its entries of one type; null where they, or one of them, cannot be read. */
  async #listed(chargeId: string, ref: ChargeRef, type: ChargeType): Promise<ListEntry[] | null> {
    const query = { dateOf: "creation", page: 0, customId: chargeId } as const;
    const call = listCall(type, windowAround(ref.firstAt), query);
    const page = readPage(await this.#client.call(call), 0);
    const read = page?.entries.map((entry) => ListEntry.safeParse(entry));
    if (read === undefined || read.some(({ success }) => !success)) return null;
    return read.flatMap(({ data }) => (data !== undefined && names(data, chargeId) ? [data] : []));
  }
}

function names(
  { custom_id: customId }: { custom_id?: string | null | undefined },
  chargeId: string,
) {
  return chargeIdOf(customId) === chargeId;
}

function fieldsOf(raw: unknown): Record<string, unknown> {
  return typeof raw === "object" && raw !== null ? Object.fromEntries(Object.entries(raw)) : {};
}
