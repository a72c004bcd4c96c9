import type { ResponseWord } from "../domain/disputes/dispute-response.ts";

/** What a merchant answers to a dispute. The only ids the bank sees were fixed before the first attempt. */
export interface DisputeDefence {
  /** Ours: a UUID. The same one again is the same answer. */
  responseId: string;
  /** The bank's id of the dispute. */
  disputeId: string;
  /** The signed dossier, JSON. */
  dossier: string;
  /** Of that text, 64 hex digits. */
  dossierSha256: string;
  /** What people read of it, in Portuguese, for a bank that takes no document. */
  text: string;
}

/** `known`: the bank has it, and says this of it. */
export type DefenceReport = ({ kind: "known" } & ResponseWord) | { kind: "unknown" };

/** `refused`: the bank did not take it, and will not. */
export type DefenceOutcome = DefenceReport | { kind: "refused"; reason: string };

/** `not_found`: the bank says itself that it does not have it. */
export type DefenceLookup = DefenceReport | { kind: "not_found" };

/**
 * Where a bank takes answers to disputes by API. What is here is the least that any can have. Efí's is public; none was
 * called (docs/generated/unproven.md).
 */
export interface DisputeDesk {
  /** Whether it takes a further dossier of a dispute that it has one of. */
  readonly takesFurther: boolean;
  submit(defence: DisputeDefence): Promise<DefenceOutcome>;
  find(sent: Pick<DisputeDefence, "responseId" | "disputeId">): Promise<DefenceLookup>;
}
