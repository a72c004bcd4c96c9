import { shortCode } from "../../domain/subscriptions/debit-codes.ts";

/** What older events have of banks' own texts, as their erasure in D1. */
export function withoutBankTexts({
  mandate,
  charge,
}: Record<string, unknown>): Record<string, unknown> {
  return {
    ...(mandate === undefined ? {} : { mandate: withShortCode(mandate) }),
    ...(has(charge, "end") || has(charge, "attempts") ? { charge: withoutSentences(charge) } : {}),
  };
}

function withoutSentences(charge: Record<string, unknown>): Record<string, unknown> {
  const { end, attempts } = charge;
  return {
    ...charge,
    ...(end === undefined ? {} : { end: withShortCode(end) }),
    ...(Array.isArray(attempts) ? { attempts: attempts.map(withoutSentence) } : {}),
  };
}

function withoutSentence(attempt: unknown): unknown {
  const isUnknown = has(attempt, "message") && attempt["code"] === "UNKNOWN";
  return withShortCode(isUnknown ? { ...attempt, message: null } : attempt);
}

function withShortCode(told: unknown): unknown {
  if (!has(told, "providerCode")) return told;
  const { providerCode } = told;
  return {
    ...told,
    providerCode: typeof providerCode === "string" ? shortCode(providerCode) : null,
  };
}

/** Whether a value is an object that has a member of its own. */
export function has(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
