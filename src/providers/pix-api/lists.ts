import type { ListName } from "../../domain/reconciliation/reconciliation.ts";
import { isOtherPixKey, ourChargeId, ourPayoutId } from "../../domain/psp/psp-ids.ts";
import type { ListedRecord } from "../provider.ts";
import type { UnreadableRecord } from "../charge.ts";
import { chargeReport } from "./charge-report.ts";
import { payoutOutcome } from "./refunds-and-payouts.ts";
import type { PageEntries } from "./pages.ts";
import type { TimeBounds } from "../calls/told-time.ts";
import { isForAnotherKey, parsePix } from "./received-pix.ts";
import { describeZodError, idFieldsOf, unreadableRecord } from "./unreadable-record.ts";
import { CobState, Envio } from "./wire.ts";

/** The records of an entry: none where it is not of this company. */
interface ParsedEntry {
  records: ListedRecord[];
  unreadable: UnreadableRecord[];
}

const NO_RECORDS: ParsedEntry = { records: [], unreadable: [] };

/**
 * Where a list is served, what its answers call its entries, and whether "not found" is its word for a
 * time in which there was nothing (Efí's manual gives `PixEnviadoNaoEncontrado`; the standard has none).
 */
export const LISTS = {
  payments: { of: "api", path: ["pix"], member: "pix", mayBeNotFound: false },
  charges: { of: "api", path: ["cob"], member: "cobs", mayBeNotFound: false },
  due_charges: { of: "api", path: ["cobv"], member: "cobs", mayBeNotFound: false },
  // Efí's own: the standard lists received payments only.
  payouts: {
    of: "payouts",
    path: ["v2", "gn", "pix", "enviados"],
    member: "pix",
    mayBeNotFound: true,
  },
} as const;

/** Reads the entries of a page, and says of those that are too long for an answer that there are some. */
export function parseEntries(
  name: ListName,
  { entries, tooLong }: Pick<PageEntries, "entries" | "tooLong">,
  about: { pixKey: string; bounds: TimeBounds },
): ParsedEntry {
  const read = entries.map((entry) => parseEntry(name, entry, about));
  const kind = RECORD_KINDS[name];
  // Not even an id of it is known: the list has one such record, or several.
  const missed =
    tooLong === 0 ? [] : [unreadableRecord(kind, { list: name }, "Larger than the answer limit")];
  return {
    records: read.flatMap(({ records }) => records),
    unreadable: [...read.flatMap((each) => each.unreadable), ...missed],
  };
}

const RECORD_KINDS = {
  payments: "payment",
  charges: "charge",
  due_charges: "charge",
  payouts: "payout",
} as const;

/** Reads one entry of a list by itself, so that none which cannot be read stops another. */
function parseEntry(
  name: ListName,
  entry: unknown,
  { pixKey, bounds }: { pixKey: string; bounds: TimeBounds },
): ParsedEntry {
  switch (name) {
    case "payments":
      return parsePayment(entry, pixKey, bounds);
    case "charges":
    case "due_charges":
      return parseCharge(entry, bounds);
    case "payouts":
      return parsePayout(entry, pixKey);
  }
}

function parsePayment(entry: unknown, pixKey: string, bounds: TimeBounds): ParsedEntry {
  if (isForAnotherKey(entry, pixKey)) return NO_RECORDS;
  const read = parsePix(entry, bounds);
  if (read.kind === "unreadable") return { records: [], unreadable: [read.record] };
  return { records: [{ kind: "payment", payment: read.payment }], unreadable: read.unreadable };
}

/**
 * A charge whose txid has another layout was made elsewhere and is left out, and so is one that was paid
 * by what its list does not show: the list of payments does.
 */
function parseCharge(entry: unknown, bounds: TimeBounds): ParsedEntry {
  const { txid } = idFieldsOf(entry);
  const chargeId = ourChargeId(txid);
  if (chargeId === null && txid !== "") return NO_RECORDS;
  const cob = CobState.safeParse(entry);
  if (!cob.success || chargeId === null) {
    const fault = cob.success ? "txid: Missing" : describeZodError(cob.error);
    return { records: [], unreadable: [unreadableRecord("charge", entry, fault)] };
  }
  const report = chargeReport(cob.data, chargeId, bounds);
  switch (report.kind) {
    case "known": {
      const { charge, unreadable } = report;
      return { records: [{ kind: "charge", chargeId, charge }], unreadable };
    }
    case "paid_without_payments":
      return NO_RECORDS;
    case "unparseable":
      return { records: [], unreadable: [unreadableRecord("charge", entry, report.fault)] };
  }
}

/** A payout by another key of the account is not this company's; one without a key may be. */
function parsePayout(entry: unknown, pixKey: string): ParsedEntry {
  const { chave, idEnvio } = idFieldsOf(entry);
  if (isOtherPixKey(chave, pixKey)) return NO_RECORDS;
  const envio = Envio.safeParse(entry);
  const fault = envio.success
    ? "idEnvio: Both idEnvio and endToEndId are missing"
    : describeZodError(envio.error);
  const id = envio.data?.idEnvio ?? envio.data?.endToEndId ?? null;
  if (!envio.success || id === null) {
    return { records: [], unreadable: [unreadableRecord("payout", entry, fault)] };
  }
  const { outcome, unreadable } = payoutOutcome(envio.data);
  const payoutId = ourPayoutId(idEnvio);
  const amount = envio.data.valor;
  const keyless = chave === "" ? { isKeyless: true as const } : {};
  return { records: [{ kind: "payout", payoutId, id, ...keyless, amount, outcome }], unreadable };
}
