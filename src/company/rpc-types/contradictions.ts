import type { RequestOperationAnswer } from "./operations.ts";

export type { Finding } from "../contradictions/contradiction-store.ts";
export type {
  ClaimRecheckAnswer,
  RecheckOutcome,
  RecordRecheckAnswer,
} from "../runtime/recheck-store.ts";

/** A return that a decision claimed. */
export type ClaimedReturn = Extract<RequestOperationAnswer, { kind: "send" | "query" }>;
