import type { FailureCode } from "../../domain/charges/failure-reason.ts";
import { foldText } from "../../lib/fold-text.ts";

/** Reasons of the instant payment system (BACEN, SPI: ISO 20022 codes), as PSPs pass them on. */
const ISO_CODES: Record<string, FailureCode> = {
  AB03: "TIMED_OUT",
  AB09: "BANK_UNAVAILABLE",
  AB11: "TIMED_OUT",
  AC03: "ACCOUNT_INVALID",
  AC06: "ACCOUNT_BLOCKED",
  AC07: "ACCOUNT_CLOSED",
  AC14: "ACCOUNT_INVALID",
  AG03: "ACCOUNT_INVALID",
  AM02: "LIMIT_EXCEEDED",
  AM04: "INSUFFICIENT_FUNDS_AT_PROVIDER",
  BE01: "KEY_OWNER_MISMATCH",
  CH11: "KEY_OWNER_MISMATCH",
  DS04: "REFUSED_BY_BANK",
  ED05: "BANK_UNAVAILABLE",
  FRAD: "FRAUD_SUSPECTED",
};
const ISO_CODE = /\b(?:[A-Z]{2}\d{2}|FRAD)\b/g;

/** Words of PSPs without such a code, accents and underscores aside. The first that fits counts. */
const WORDS: [RegExp, FailureCode][] = [
  [/chave.*(nao (existe|(foi )?encontrad|localizad)|inexistente)/, "KEY_NOT_FOUND"],
  [/(cpf|cnpj|documento|titular).*(diverge|diferente|nao corresponde)/, "KEY_OWNER_MISMATCH"],
  [/conta.*(encerrada|fechada)/, "ACCOUNT_CLOSED"],
  [/conta.*bloquead/, "ACCOUNT_BLOCKED"],
  [/conta.*(inexistente|invalid|nao (existe|encontrad))/, "ACCOUNT_INVALID"],
  [/saldo.*insuficiente|insuficien.*saldo/, "INSUFFICIENT_FUNDS_AT_PROVIDER"],
  [/fraude/, "FRAUD_SUSPECTED"],
  [/tempo (limite|esgotado)|timeout/, "TIMED_OUT"],
  [/limite/, "LIMIT_EXCEEDED"],
];

/**
 * The code of a refusal by the PSP's own words: an ISO 20022 reason in them first, then what they say.
 * `fallback` where they say nothing that is known.
 */
export function failureCodeOf(
  words: (string | null | undefined)[],
  fallback: FailureCode,
): FailureCode {
  const text = words.filter((each) => each != null).join(" ");
  for (const [iso] of text.matchAll(ISO_CODE)) {
    const code = ISO_CODES[iso];
    if (code !== undefined) return code;
  }
  const plain = foldText(text).replaceAll("_", " ");
  return WORDS.find(([pattern]) => pattern.test(plain))?.[1] ?? fallback;
}
