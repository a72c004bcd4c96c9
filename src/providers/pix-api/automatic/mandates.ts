import { isSameTxid, ourChargeId } from "../../../domain/psp/psp-ids.ts";
import type { PixReceiver } from "../../../domain/psp/psp-settings.ts";
import type { Clock } from "../../../domain/shared/clock.ts";
import { log } from "../../../lib/log.ts";
import type {
  ApprovalOutcome,
  DebitListPage,
  DebitOrder,
  DebitOutcome,
  DebitReport,
  ListWindow,
  MandateCancelOutcome,
  MandateListPage,
  MandateOrder,
  MandateOutcome,
  MandateProvider,
  MandateReport,
  ReportedDebit,
} from "../../mandate-provider.ts";
import { parseAs, type ApiAnswer, type PixApiClient } from "../client.ts";
import { readPage, type PageEntries } from "../pages.ts";
import { describeZodError, idFieldsOf, unreadableRecord } from "../unreadable-record.ts";
import type { TimeBounds } from "../../calls/told-time.ts";
import { debitDetails, isOrderedDebit } from "./debit-report.ts";
import { isOrdered, mandateDetails, subscriptionIdOf } from "./mandate-report.ts";
import { approvalRequest, debitRequest, documentOf, mandateRequest } from "./requests.ts";
import { Cobr, Locrec, Rec, Solicrec } from "./wire.ts";

const UNKNOWN = { kind: "unknown" } as const;
/** A list that is longer is not read to its end, so that it proves nothing. */
const PAGES_MAX = 50;
/** A PSP's clock may be behind ours. */
const CLOCK_SKEW_MS = 5 * 60_000;
const TOO_LONG = "Larger than the answer limit";
const CANCELADA = { status: "CANCELADA" } as const;

interface Parts {
  client: PixApiClient;
  baseUrl: string;
  receiver: PixReceiver;
  clock: Clock;
  /** From when its payments may be (epoch ms). */
  since: number;
}

/** Automatic debits by the central bank's Pix API 2.9.0: `locrec`, `rec`, `solicrec`, `cobr`. */
export class PixApiMandates implements MandateProvider {
  readonly idempotentMandates = false;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The code of a mandate needs a location of its own, made first; one that is left over costs nothing. */
  async createMandate(order: MandateOrder): Promise<MandateOutcome> {
    const location = order.journey === "REQUEST" ? null : await this.#createLocation();
    if (location !== null && location.kind !== "created") return location;
    const body = mandateRequest(order, location?.id ?? null);
    const answer = await this.#call("POST", ["rec"], { body });
    if (answer.kind === "refused") return { kind: "refused", message: answer.message };
    const rec = parseAs(Rec, answer);
    if (!rec.success || !isOrdered(rec.data, order)) return UNKNOWN;
    const mandate = mandateDetails(rec.data, this.#parts.clock.now());
    if (location === null) return { kind: "created", mandate };
    const withCode = await this.findMandate(mandate.mandateId, order.firstChargeId);
    return { kind: "created", mandate: withCode.kind === "known" ? withCode.mandate : mandate };
  }

  async findMandate(
    mandateId: string,
    firstChargeId: string | null = null,
  ): Promise<MandateReport> {
    const query = firstChargeId === null ? {} : { txid: firstChargeId };
    const answer = await this.#call("GET", ["rec", mandateId], { query });
    // The charge may be of no use to it any more; the mandate is there all the same, but its code is not for both.
    if (answer.kind === "refused" && firstChargeId !== null) {
      const alone = await this.findMandate(mandateId);
      if (alone.kind !== "known") return alone;
      return { kind: "known", mandate: { ...alone.mandate, code: null } };
    }
    if (answer.kind === "not_found") return answer;
    const rec = parseAs(Rec, answer);
    if (!rec.success || rec.data.idRec !== mandateId) return UNKNOWN;
    return { kind: "known", mandate: mandateDetails(rec.data, this.#parts.clock.now()) };
  }

  async findMandateByContract(
    { subscriptionId, payer }: Pick<MandateOrder, "subscriptionId" | "payer">,
    since: number,
  ): Promise<MandateReport> {
    const from = since - CLOCK_SKEW_MS;
    const window = { from, to: this.#parts.clock.now() + CLOCK_SKEW_MS };
    const found: Rec[] = [];
    for (let page = 0, hasMore = true; hasMore; page += 1) {
      if (page === PAGES_MAX) return UNKNOWN;
      const read = await this.#page("rec", window, page, documentOf(payer.document));
      // One that cannot be read may be the one that is looked for.
      const recs = read?.entries.map((entry) => Rec.safeParse(entry)) ?? [];
      if (read === null || read.tooLong > 0 || recs.some(({ success }) => !success)) return UNKNOWN;
      for (const { data } of recs) {
        if (data !== undefined && subscriptionIdOf(data.vinculo.contrato) === subscriptionId) {
          found.push(data);
        }
      }
      hasMore = read.hasMore;
    }
    const [first] = found;
    if (found.length > 1) log("warn", "mandate_doubled", { subscriptionId, count: found.length });
    return first === undefined ? { kind: "not_found" } : this.findMandate(first.idRec);
  }

  /** Confirmed by the payer's bank, which may take hours: until then it is `unknown`. */
  async cancelMandate(mandateId: string): Promise<MandateCancelOutcome> {
    const answer = await this.#call("PATCH", ["rec", mandateId], { body: CANCELADA });
    const rec = parseAs(Rec, answer);
    const isDone = rec.success && rec.data.idRec === mandateId && rec.data.status === "CANCELADA";
    if (isDone) return { kind: "cancelled" };
    const after = await this.findMandate(mandateId);
    if (after.kind === "known" && after.mandate.status === "cancelled") {
      return { kind: "cancelled" };
    }
    return answer.kind === "refused" && after.kind === "known"
      ? { kind: "refused", message: answer.message }
      : UNKNOWN;
  }

  async requestApproval(
    mandateId: string,
    request: Parameters<MandateProvider["requestApproval"]>[1],
  ): Promise<ApprovalOutcome> {
    const body = approvalRequest(mandateId, request);
    const answer = await this.#call("POST", ["solicrec"], { body });
    const made = parseAs(Solicrec, answer);
    if (made.success && made.data.idRec === mandateId) {
      return { kind: "requested", requestId: made.data.idSolicRec };
    }
    if (answer.kind !== "refused" && answer.kind !== "conflict") return UNKNOWN;
    // A second one while one is open is refused: an earlier call may have made that one.
    const known = await this.findMandate(mandateId);
    if (known.kind !== "known") return UNKNOWN;
    const { request: earlier } = known.mandate;
    if (earlier?.status === "open") return { kind: "requested", requestId: earlier.id };
    return answer.kind === "refused" ? { kind: "refused", message: answer.message } : UNKNOWN;
  }

  async scheduleDebit(order: DebitOrder): Promise<DebitOutcome> {
    const body = debitRequest(order, this.#parts.receiver);
    const answer = await this.#call("PUT", ["cobr", order.chargeId], { body });
    const cobr = parseAs(Cobr, answer);
    if (cobr.success) {
      if (!isOrderedDebit(cobr.data, order)) return UNKNOWN;
      return {
        kind: "accepted",
        debit: debitDetails(cobr.data, order.chargeId, this.#bounds()).debit,
      };
    }
    if (answer.kind !== "refused" && answer.kind !== "conflict") return UNKNOWN;
    const known = await this.#findCobr(order.chargeId);
    if (known.kind === "found" && isOrderedDebit(known.cobr, order)) {
      return {
        kind: "accepted",
        debit: debitDetails(known.cobr, order.chargeId, this.#bounds()).debit,
      };
    }
    return known.kind === "not_found" && answer.kind === "refused"
      ? { kind: "refused", message: answer.message }
      : UNKNOWN;
  }

  async retryDebit(chargeId: string, day: string): Promise<DebitOutcome> {
    const answer = await this.#call("POST", ["cobr", chargeId, "retentativa", day]);
    const ordered = acceptedRetry(parseAs(Cobr, answer).data, chargeId, day, this.#bounds());
    if (ordered !== null) return ordered;
    if (answer.kind !== "refused" && answer.kind !== "conflict") return UNKNOWN;
    const known = await this.#findCobr(chargeId);
    if (known.kind !== "found") return UNKNOWN;
    const earlier = acceptedRetry(known.cobr, chargeId, day, this.#bounds());
    if (earlier !== null) return earlier;
    return answer.kind === "refused" ? { kind: "refused", message: answer.message } : UNKNOWN;
  }

  async cancelDebit(chargeId: string): Promise<MandateCancelOutcome> {
    const answer = await this.#call("PATCH", ["cobr", chargeId], { body: CANCELADA });
    const cobr = parseAs(Cobr, answer);
    if (cobr.success && isCancelled(cobr.data, chargeId)) return { kind: "cancelled" };
    const after = await this.#findCobr(chargeId);
    if (after.kind === "found" && isCancelled(after.cobr, chargeId)) return { kind: "cancelled" };
    const isRefused = answer.kind === "refused" && after.kind === "found";
    return isRefused ? { kind: "refused", message: answer.message } : UNKNOWN;
  }

  async findDebit(chargeId: string): Promise<DebitReport> {
    const found = await this.#findCobr(chargeId);
    if (found.kind !== "found") return found;
    return { kind: "known", ...reportedDebit(found.cobr, chargeId, this.#bounds()) };
  }

  async listMandates(window: ListWindow, page: number): Promise<MandateListPage> {
    const read = await this.#page("rec", window, page);
    if (read === null) return UNKNOWN;
    const recs = read.entries.map((entry) => Rec.safeParse(entry));
    const nowMs = this.#parts.clock.now();
    return {
      kind: "known",
      mandates: recs.flatMap(({ data }) => (data === undefined ? [] : mandateDetails(data, nowMs))),
      unreadable: read.tooLong + recs.filter(({ success }) => !success).length,
      hasMore: read.hasMore,
    };
  }

  /** Debits that others ordered are left out, also where they cannot be read. */
  async listDebits(window: ListWindow, page: number): Promise<DebitListPage> {
    const read = await this.#page("cobr", window, page);
    if (read === null) return UNKNOWN;
    const debits: ReportedDebit[] = [];
    const unreadable =
      read.tooLong === 0 ? [] : [unreadableRecord("charge", { list: "cobr" }, TOO_LONG)];
    for (const entry of read.entries) {
      const { txid } = idFieldsOf(entry);
      const chargeId = ourChargeId(txid);
      if (chargeId === null && txid !== "") continue;
      const { data, error } = Cobr.safeParse(entry);
      if (data !== undefined && chargeId !== null)
        debits.push(reportedDebit(data, chargeId, this.#bounds()));
      else if (error !== undefined)
        unreadable.push(unreadableRecord("charge", entry, describeZodError(error)));
    }
    return { kind: "known", debits, unreadable, hasMore: read.hasMore };
  }

  async #createLocation(): Promise<
    { kind: "created"; id: number } | Exclude<MandateOutcome, { kind: "created" }>
  > {
    const answer = await this.#call("POST", ["locrec"]);
    if (answer.kind === "refused") return { kind: "refused", message: answer.message };
    const location = parseAs(Locrec, answer);
    return location.success ? { kind: "created", id: location.data.id } : UNKNOWN;
  }

  async #findCobr(
    chargeId: string,
  ): Promise<{ kind: "found"; cobr: Cobr } | { kind: "not_found" | "unknown" }> {
    const answer = await this.#call("GET", ["cobr", chargeId]);
    if (answer.kind === "not_found") return answer;
    const cobr = parseAs(Cobr, answer);
    return cobr.success && isSameTxid(cobr.data.txid, chargeId)
      ? { kind: "found", cobr: cobr.data }
      : UNKNOWN;
  }

  #page(
    path: "rec" | "cobr",
    { from, to }: ListWindow,
    page: number,
    filter: Record<string, string> = {},
  ): Promise<PageEntries | null> {
    const period = { inicio: new Date(from).toISOString(), fim: new Date(to).toISOString() };
    const ask = (at: number, size: number) => {
      const pages = { "paginacao.paginaAtual": `${at}`, "paginacao.itensPorPagina": `${size}` };
      return this.#call("GET", [path], { query: { ...period, ...filter, ...pages } });
    };
    return readPage(ask, path === "rec" ? "recs" : "cobsr", page);
  }

  #bounds(): TimeBounds {
    const { since, clock } = this.#parts;
    return { since, nowMs: clock.now() };
  }

  #call(
    method: "GET" | "POST" | "PUT" | "PATCH",
    path: string[],
    { query = {}, body }: { query?: Record<string, string>; body?: unknown } = {},
  ): Promise<ApiAnswer> {
    return this.#parts.client.call({ method, base: this.#parts.baseUrl, path, query, body });
  }
}

function reportedDebit(cobr: Cobr, chargeId: string, bounds: TimeBounds): ReportedDebit {
  const { debit, unreadable } = debitDetails(cobr, chargeId, bounds);
  return { debit, ...(unreadable.length === 0 ? {} : { unreadable }) };
}

function isCancelled(cobr: Cobr, chargeId: string): boolean {
  return cobr.status === "CANCELADA" && isSameTxid(cobr.txid, chargeId);
}

/** A debit that has an attempt for the day which its bank has not refused; null without one. */
function acceptedRetry(
  cobr: Cobr | undefined,
  chargeId: string,
  day: string,
  bounds: TimeBounds,
): DebitOutcome | null {
  if (cobr === undefined || !isSameTxid(cobr.txid, chargeId)) return null;
  const { debit } = debitDetails(cobr, chargeId, bounds);
  const isThere = debit.attempts.some(
    (attempt) => attempt.day === day && attempt.kind === "retry" && attempt.status !== "cancelled",
  );
  return isThere ? { kind: "accepted", debit } : null;
}
