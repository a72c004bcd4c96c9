import type { ZodError } from "zod";
import { hyphenateUuid } from "../../domain/shared/ids.ts";
import { log } from "../../lib/log.ts";
import type { UnreadableRecord } from "../provider.ts";

/** What is kept of a record that cannot be read: one of usual length is there whole. */
const BODY_MAX = 4_096;
const END_TO_END_ID = /^[a-zA-Z0-9]{1,64}$/;
/** A UUID without hyphens: what `providerChargeId` and `idEnvioOf` give out. */
const OUR_ID = /^[0-9a-f]{32}$/;

/** What a record is of: of each kind other ids can be asked about. */
export type RecordKind = "payment" | "charge" | "payout";

/** A record that cannot be read, with the ids that still can, as it came. It is told to the log. */
export function unreadableRecord(
  kind: RecordKind,
  record: unknown,
  fault: string,
): UnreadableRecord {
  const { endToEndId, txid, idEnvio } = idFieldsOf(record);
  const paymentId = kind === "payment" && END_TO_END_ID.test(endToEndId) ? endToEndId : null;
  const ids = {
    paymentId,
    chargeId: kind === "payout" ? null : ourChargeId(txid),
    payoutId: kind === "payout" ? ourPayoutId(idEnvio) : null,
  };
  log("warn", "pix_api_record_unparseable", { record: kind, ...ids, fault });
  return { ...ids, body: JSON.stringify(record).slice(0, BODY_MAX), fault };
}

/** Where a record breaks what it should be, in one line: `horario: Invalid ISO datetime`. */
export function describeZodError(error: ZodError): string {
  const [first] = error.issues;
  return `${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`;
}

/** The charge that a txid is of; null where it was made elsewhere. */
export function ourChargeId(txid: string): string | null {
  const id = txid.toLowerCase();
  return OUR_ID.test(id) ? id : null;
}

/** The payout that an idEnvio is of; null where it was made elsewhere. */
export function ourPayoutId(idEnvio: string): string | null {
  return OUR_ID.test(idEnvio) ? hyphenateUuid(idEnvio) : null;
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
