import * as z from "zod";
import type { ResponseWord } from "../../../domain/disputes/dispute-response.ts";
import { isoTime, type Clock } from "../../../domain/shared/clock.ts";
import { log } from "../../../lib/log.ts";
import type {
  DefenceLookup,
  DefenceOutcome,
  DisputeDefence,
  DisputeDesk,
} from "../../dispute-desk.ts";
import { PROVIDER_TIMEOUT_MS } from "../../provider.ts";
import type { ApiAnswer, PixApiClient } from "../client.ts";
import { readPage } from "../pages.ts";
import { paymentOfDispute } from "../received-pix.ts";
import { describeZodError, idFieldsOf } from "../unreadable-record.ts";

const UNKNOWN = { kind: "unknown" } as const;
const DAY_MS = 24 * 60 * 60_000;
/** Pages of 100 cases that are read at most. */
const PAGES_MAX = 10;
const INFRACTIONS = ["gn", "infracoes"];

/**
 * A case as Efí lists it. Its manual and its package differ in the types of other fields (`valor`, `protocolo`,
 * `conta`), which are not read.
 */
const Infraction = z.object({
  idInfracao: z.string().min(1),
  status: z.enum(["ABERTA", "EM_DEFESA", "ACEITA", "REJEITADA", "CANCELADA_EFI"]),
  defesa: z.string().nullish(),
  justificativaAnalista: z.string().nullish(),
  dadosAnalise: z.object({
    /** One that cannot be read is Efí's to judge. */
    prazoFinalizacao: z.iso
      .datetime({ offset: true })
      .transform((time) => Date.parse(time))
      .nullable()
      .catch(null),
    recebimentoDefesa: z.string().nullish(),
  }),
});
type Infraction = z.infer<typeof Infraction>;

/**
 * What became of a case. The reading is ours, for no source says it: what is accepted or rejected is the payer's claim,
 * not the defence.
 */
const ENDS = {
  ACEITA: "refused",
  REJEITADA: "accepted",
  CANCELADA_EFI: "withdrawn",
} as const satisfies Record<string, ResponseWord["status"]>;

interface EfiDeskParts {
  client: Pick<PixApiClient, "call">;
  /** Of the account's Pix API, which ends in `/v2`. */
  baseUrl: string;
  clock: Clock;
}

/**
 * Efí's own calls about the MED (its manual, "Endpoints exclusivos Efí"; `sdk-node-apis-efi`): the list of the account's
 * infractions, and one defence to each, which is a text. Known to Efí by its own id, a case is found by its payment, and
 * a defence of ours by our id in its first line.
 */
export class EfiDisputeDesk implements DisputeDesk {
  /** The manual answers a second one with 409. */
  readonly takesFurther = false;
  readonly #parts: EfiDeskParts;

  constructor(parts: EfiDeskParts) {
    this.#parts = parts;
  }

  /**
   * Reads the case first, and again after any answer but JSON or none: the manual's success is a sentence, and who
   * refuses may have it from an earlier call.
   */
  async submit(defence: DisputeDefence): Promise<DefenceOutcome> {
    const { client, baseUrl, clock } = this.#parts;
    const { responseId, text } = defence;
    const startedAt = clock.now();
    const infraction = await this.#find(defence);
    if (infraction === null) return UNKNOWN;
    const known = reportOf(infraction, responseId);
    if (hasOurs(infraction, responseId) && known.kind !== "not_found") return known;
    const reason = faultOf(infraction, clock.now());
    if (reason !== null) return { kind: "refused", reason };
    // Who asked has gone, and may ask again beside this.
    if (clock.now() - startedAt > PROVIDER_TIMEOUT_MS) return UNKNOWN;
    const answer = await client.call({
      method: "POST",
      base: baseUrl,
      path: [...INFRACTIONS, infraction.idInfracao, "defesa"],
      body: { analise: "rejeitado", justificativa: `${headOf(responseId)}\n\n${text}` },
    });
    if (answer.kind === "ok") return { kind: "known", status: "received", answer: null };
    const found = await this.find(defence);
    if (found.kind !== "not_found") return found;
    return answer.kind === "refused" ? { kind: "refused", reason: answer.message } : UNKNOWN;
  }

  /** One that is not listed says nothing: a page may have moved on while the list was read. */
  async find(sent: Pick<DisputeDefence, "responseId" | "disputeId">): Promise<DefenceLookup> {
    const infraction = await this.#find(sent);
    return infraction === null ? UNKNOWN : reportOf(infraction, sent.responseId);
  }

  /** The case with our defence, else the open one of the payment, else its last; null where the list does not say. */
  async #find({
    responseId,
    disputeId,
  }: Pick<DisputeDefence, "responseId" | "disputeId">): Promise<Infraction | null> {
    const endToEndId = paymentOfDispute(disputeId);
    const paidAt = timeIn(endToEndId);
    if (paidAt === null) return null;
    const found: Infraction[] = [];
    for (const entry of (await this.#list(paidAt - DAY_MS)) ?? []) {
      if (idFieldsOf(entry).endToEndId !== endToEndId) continue;
      const read = Infraction.safeParse(entry);
      if (!read.success) {
        log("warn", "pix_api_unparseable", { field: describeZodError(read.error) });
        return null;
      }
      found.push(read.data);
    }
    const ours = found.find((each) => hasOurs(each, responseId));
    // One that has ended with another defence is of an earlier dispute.
    const others = found.filter(({ status, defesa }) => !(status in ENDS && hasText(defesa)));
    return ours ?? others.find(({ status }) => status === "ABERTA") ?? others.at(-1) ?? null;
  }

  /** The cases from then until now; null where it did not answer whole. What `inicio` counts by is not said. */
  async #list(from: number): Promise<unknown[] | null> {
    const { client, baseUrl: base, clock } = this.#parts;
    const period = { inicio: isoTime(from), fim: isoTime(clock.now()) };
    const ask = (at: number, size: number): Promise<ApiAnswer> => {
      const pages = { "paginacao.paginaAtual": `${at}`, "paginacao.itensPorPagina": `${size}` };
      return client.call({
        method: "GET",
        base,
        path: INFRACTIONS,
        query: { ...period, ...pages },
      });
    };
    const all: unknown[] = [];
    for (let page = 0; page < PAGES_MAX; page++) {
      const read = await readPage(ask, "infracoes", page);
      if (read === null) return null;
      all.push(...read.entries);
      if (!read.hasMore) return all;
    }
    return null;
  }
}

function headOf(responseId: string): string {
  return `Defesa ${responseId}`;
}

function hasOurs({ defesa }: Infraction, responseId: string): boolean {
  return defesa?.includes(responseId) === true;
}

/** What a case says of our defence: `not_found` where it has none, or another's. */
function reportOf(infraction: Infraction, responseId: string): DefenceLookup {
  const { status, defesa, justificativaAnalista, dadosAnalise } = infraction;
  if (status in ENDS) {
    const end = ENDS[status as keyof typeof ENDS];
    return { kind: "known", status: end, answer: justificativaAnalista ?? null };
  }
  const isOthers = hasText(defesa) && !hasOurs(infraction, responseId);
  const isDefended = hasText(defesa) || hasText(dadosAnalise.recebimentoDefesa);
  if (isOthers) return { kind: "not_found" };
  if (status === "EM_DEFESA") return { kind: "known", status: "under_analysis", answer: null };
  return isDefended ? { kind: "known", status: "received", answer: null } : { kind: "not_found" };
}

/** Why a case takes no first defence; null where it does. */
function faultOf({ status, defesa, dadosAnalise }: Infraction, nowMs: number): string | null {
  const { prazoFinalizacao: deadline, recebimentoDefesa } = dadosAnalise;
  if (hasText(defesa) || (status === "ABERTA" && hasText(recebimentoDefesa))) {
    return "The case has another defence at Efí already";
  }
  if (status !== "ABERTA") {
    return `The case is ${status} at Efí: only one that is ABERTA takes a defence`;
  }
  if (deadline === null || nowMs <= deadline) return null;
  return `Efí took defences of the case until ${isoTime(deadline)}`;
}

function hasText(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value.trim() !== "";
}

/** When a payment was made, to the minute, by its end-to-end id (BACEN: `E`, ISPB, UTC); null for another layout. */
function timeIn(endToEndId: string): number | null {
  const digits = /^E\d{8}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})/.exec(endToEndId);
  if (digits === null) return null;
  const [, year, month, day, hour, minute] = digits;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(time) ? null : time;
}
