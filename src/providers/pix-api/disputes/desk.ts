import { z } from "zod";
import type { AddressedDesk } from "../../../domain/psp/psp-settings.ts";
import type { ResponseWord } from "../../../domain/disputes/dispute-response.ts";
import { log } from "../../../lib/log.ts";
import type {
  DefenceLookup,
  DefenceOutcome,
  DefenceReport,
  DisputeDefence,
  DisputeDesk,
} from "../../dispute-desk.ts";
import type { ApiAnswer, PixApiClient } from "../client.ts";

/** The words of a case's state, which are ours too. */
const WORDS: Record<string, ResponseWord["status"]> = {
  RECEBIDA: "received",
  EM_ANALISE: "under_analysis",
  ACEITA: "accepted",
  RECUSADA: "refused",
};

const Case = z.object({
  id: z.string(),
  status: z.string(),
  resposta: z.string().nullish(),
});

/**
 * The desk of a PSP beside its Pix API, at the address of the account's settings: `PUT` and `GET` of
 * `<url>/<disputeId>/<responseId>`, JSON. The layout is ours: BACEN's Pix API 2.9.0 has none, and the one that is
 * public is Efí's (`efi-desk.ts`). It is off until an operator sets the address (docs/providers.md).
 */
export class PixApiDisputeDesk implements DisputeDesk {
  readonly takesFurther: boolean;
  readonly #client: Pick<PixApiClient, "call">;
  readonly #url: string;

  constructor(client: Pick<PixApiClient, "call">, { url, takesFurther }: AddressedDesk) {
    this.#client = client;
    this.#url = url;
    this.takesFurther = takesFurther;
  }

  /** A refusal is checked by a look-up: an earlier call under the same id may have succeeded. */
  async submit(defence: DisputeDefence): Promise<DefenceOutcome> {
    const { responseId, disputeId, dossier, dossierSha256 } = defence;
    const body = { id: responseId, dossie: dossier, sha256: dossierSha256 };
    const answer = await this.#call("PUT", disputeId, responseId, body);
    if (answer.kind !== "refused" && answer.kind !== "conflict")
      return toReport(answer, responseId);
    const found = await this.find(defence);
    if (found.kind !== "not_found") return found;
    return answer.kind === "refused"
      ? { kind: "refused", reason: answer.message }
      : { kind: "unknown" };
  }

  async find({
    responseId,
    disputeId,
  }: Pick<DisputeDefence, "responseId" | "disputeId">): Promise<DefenceLookup> {
    const answer = await this.#call("GET", disputeId, responseId);
    return answer.kind === "not_found" ? answer : toReport(answer, responseId);
  }

  #call(method: "GET" | "PUT", disputeId: string, responseId: string, body?: unknown) {
    return this.#client.call({ method, base: this.#url, path: [disputeId, responseId], body });
  }
}

/** An answer about another case, or in a word that nobody knows, says nothing. */
function toReport(answer: ApiAnswer, responseId: string): DefenceReport {
  if (answer.kind !== "ok") return { kind: "unknown" };
  const read = Case.safeParse(answer.body);
  const status = read.success ? WORDS[read.data.status] : undefined;
  if (!read.success || status === undefined || read.data.id !== responseId) {
    log("warn", "pix_api_unparseable", { field: "dispute desk" });
    return { kind: "unknown" };
  }
  return { kind: "known", status, answer: read.data.resposta ?? null };
}
