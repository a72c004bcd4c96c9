import type { ZodError } from "zod";
import { maskPspPayer } from "../../domain/access/masks.ts";
import { isEndToEndId, ourChargeId, ourPayoutId } from "../../domain/psp/psp-ids.ts";
import { log } from "../../lib/log.ts";
import type { UnreadableRecord } from "../charge.ts";

/** The stored length of an unreadable record; a usual one fits whole. */
const BODY_MAX = 4_096;

/** The kind of a record, which decides the ids it can be queried by. */
export type RecordKind = "payment" | "charge" | "payout";

/** An unreadable record as it came, with its readable ids. It is logged. */
export function unreadableRecord(
  kind: RecordKind,
  record: unknown,
  fault: string,
): UnreadableRecord {
  const { endToEndId, txid, idEnvio } = idFieldsOf(record);
  const paymentId = kind === "payment" && isEndToEndId(endToEndId) ? endToEndId : null;
  const ids = {
    paymentId,
    chargeId: kind === "payout" ? null : ourChargeId(txid),
    payoutId: kind === "payout" ? ourPayoutId(idEnvio) : null,
  };
  log("warn", "pix_api_record_unparseable", { record: kind, ...ids, fault });
  return { ...ids, body: maskedJson(record).slice(0, BODY_MAX), fault };
}

/** A member that names a payer, in JSON. */
const PAYER_MEMBER = /"(cpf|cnpj|nome)":("(?:[^"\\]|\\.)*")/g;

/** The record as JSON with its payer masked. A replacer of `JSON.stringify` overflows on deep nesting. */
function maskedJson(record: unknown): string {
  return JSON.stringify(record).replaceAll(
    PAYER_MEMBER,
    (_, member: string, text: string) =>
      `"${member}":${JSON.stringify(maskPspPayer(member, JSON.parse(text)))}`,
  );
}

/** The first fault of a record in one line: `horario: Invalid ISO datetime`. */
export function describeZodError(error: ZodError): string {
  const [first] = error.issues;
  return `${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`;
}

/** The texts by which a record may be known, `""` for each that is none. */
export function idFieldsOf(
  record: unknown,
): Record<"endToEndId" | "txid" | "idEnvio" | "chave", string> {
  const members = new Map(
    Object.entries(typeof record === "object" && record !== null ? record : {}),
  );
  const textOf = (name: string): string => {
    const value: unknown = members.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    endToEndId: textOf("endToEndId"),
    txid: textOf("txid"),
    idEnvio: textOf("idEnvio"),
    chave: textOf("chave"),
  };
}
