import type { ListName } from "../../domain/reconciliation/reconciliation.ts";
import type { ListedRecord, UnreadableRecord } from "../provider.ts";
import { chargeReport } from "./charge-report.ts";
import { payoutOutcome } from "./money-back.ts";
import type { Entries } from "./pages.ts";
import { isForAnother, isOtherKey, readPix } from "./received.ts";
import { faultOf, membersOf, ourChargeId, ourPayoutId, unreadable } from "./unreadable.ts";
import { CobState, Envio } from "./wire.ts";

/** What an entry of a list comes to: nothing where it is not of this company. */
interface ReadEntry {
  records: ListedRecord[];
  unreadable: UnreadableRecord[];
}

const NOTHING: ReadEntry = { records: [], unreadable: [] };

/**
 * Where a list is served, what its answers call its entries, and whether "not found" is its word for a
 * time in which there was nothing (Efí's manual gives `PixEnviadoNaoEncontrado`; the standard has none).
 */
export const LISTS = {
  payments: { of: "api", path: ["pix"], member: "pix", mayBeNotFound: false },
  charges: { of: "api", path: ["cob"], member: "cobs", mayBeNotFound: false },
  due_charges: { of: "api", path: ["cobv"], member: "cobs", mayBeNotFound: false },
  // Efí's own: the standard knows what was received alone.
  payouts: {
    of: "payouts",
    path: ["v2", "gn", "pix", "enviados"],
    member: "pix",
    mayBeNotFound: true,
  },
} as const;

/** Reads the entries of a page, and says of those that are too long for an answer that there are some. */
export function readEntries(
  name: ListName,
  { entries, tooLong }: Pick<Entries, "entries" | "tooLong">,
  about: { pixKey: string; nowMs: number },
): ReadEntry {
  const read = entries.map((entry) => readEntry(name, entry, about));
  const kind = KINDS[name];
  // Not even an id of it is known: the list has one such record, or several.
  const missed = tooLong === 0 ? [] : [unreadable(kind, { list: name }, "Too long for an answer")];
  return {
    records: read.flatMap(({ records }) => records),
    unreadable: [...read.flatMap((each) => each.unreadable), ...missed],
  };
}

const KINDS = {
  payments: "payment",
  charges: "charge",
  due_charges: "charge",
  payouts: "payout",
} as const;

/** Reads one entry of a list by itself, so that none which cannot be read stops another. */
function readEntry(
  name: ListName,
  entry: unknown,
  { pixKey, nowMs }: { pixKey: string; nowMs: number },
): ReadEntry {
  switch (name) {
    case "payments":
      return readPayment(entry, pixKey);
    case "charges":
    case "due_charges":
      return readCharge(entry, nowMs);
    case "payouts":
      return readPayout(entry, pixKey);
  }
}

function readPayment(entry: unknown, pixKey: string): ReadEntry {
  if (isForAnother(entry, pixKey)) return NOTHING;
  const read = readPix(entry);
  if (read.kind === "unreadable") return { records: [], unreadable: [read.record] };
  return { records: [{ kind: "payment", payment: read.payment }], unreadable: read.unreadable };
}

/**
 * A charge whose txid has another layout was made elsewhere and is left out, and so is one that was paid
 * by what its list does not show: the list of payments does.
 */
function readCharge(entry: unknown, nowMs: number): ReadEntry {
  const { txid } = membersOf(entry);
  const chargeId = ourChargeId(txid);
  if (chargeId === null && txid !== "") return NOTHING;
  const cob = CobState.safeParse(entry);
  if (!cob.success || chargeId === null) {
    const fault = cob.success ? "txid: Missing" : faultOf(cob.error);
    return { records: [], unreadable: [unreadable("charge", entry, fault)] };
  }
  const report = chargeReport(cob.data, chargeId, nowMs);
  switch (report.kind) {
    case "known": {
      const { charge, unreadable: missed } = report;
      return { records: [{ kind: "charge", chargeId, charge }], unreadable: missed };
    }
    case "paid_elsewhere":
      return NOTHING;
    case "unclear":
      return { records: [], unreadable: [unreadable("charge", entry, report.fault)] };
  }
}

/** What another key of the account paid out is somebody else's; what names none may be anybody's. */
function readPayout(entry: unknown, pixKey: string): ReadEntry {
  const { chave, idEnvio } = membersOf(entry);
  if (isOtherKey(chave, pixKey)) return NOTHING;
  const envio = Envio.safeParse(entry);
  const fault = envio.success ? "idEnvio: Missing, as endToEndId is" : faultOf(envio.error);
  const id = envio.data?.idEnvio ?? envio.data?.endToEndId ?? null;
  if (!envio.success || id === null) {
    return { records: [], unreadable: [unreadable("payout", entry, fault)] };
  }
  const { outcome, unreadable: missed } = payoutOutcome(envio.data);
  const payoutId = ourPayoutId(idEnvio);
  const amount = envio.data.valor;
  return { records: [{ kind: "payout", payoutId, id, amount, outcome }], unreadable: missed };
}
