import type { FailureCode } from "../../domain/charges/failure-reason.ts";

/**
 * What an error of Efí means for the thing that was asked. `refused`: it was not done. `wrong_state`: another call,
 * perhaps an earlier one of ours, was before it. `unknown` also for a code that is not known here.
 */
type Meaning =
  | "refused"
  | "not_found"
  | "wrong_state"
  | "token_used"
  | "token_refused"
  | "quota"
  | "no_right"
  | "unknown";

const CODES: Record<Exclude<Meaning, "unknown">, readonly string[]> = {
  refused: [
    // A field, which `property` names.
    "3500010",
    "3500023",
    "3500025",
    "3500034",
    "3500037",
    "4600002",
    // Due date, amount, payer.
    "4600007",
    "4600060",
    "4600414",
    "4600036",
    "4600523",
    "4600037",
    "3500006",
    "4600142",
    "4600222",
  ],
  not_found: ["4600001"],
  wrong_state: ["3500030", "3500044", "3500038", "3500043", "3500070", "3500069"],
  token_used: ["3500018"],
  token_refused: ["401", "3500008"],
  quota: ["3500049", "3500055"],
  no_right: ["3500001", "3500087", "4600224", "4600035", "3500072"],
};

const MEANINGS = new Map(
  Object.entries(CODES).flatMap(([meaning, codes]) =>
    codes.map((code) => [code, meaning as Meaning] as const),
  ),
);

export function meaningOf(code: string): Meaning {
  return MEANINGS.get(code) ?? "unknown";
}

const LIMIT_CODES: ReadonlySet<string> = new Set(["4600036", "4600523", "4600037", "3500006"]);

/** Why a charge failed for a merchant. */
export function failureCodeOf(code: string): FailureCode {
  if (meaningOf(code) === "token_used") return "CARD_TOKEN_EXPIRED";
  return LIMIT_CODES.has(code) ? "LIMIT_EXCEEDED" : "PROVIDER_REFUSED";
}
