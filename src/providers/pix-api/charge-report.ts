import type * as z from "zod";
import { isSameTxid } from "../../domain/psp/psp-ids.ts";
import { encodeBrCode, MERCHANT_CITY } from "../../methods/pix/br-code.ts";
import { parseBrCode } from "../../methods/pix/br-code-parser.ts";
import { dueExpiresAt, payableUntil } from "../../methods/pix/expiry.ts";
import type { ChargeOutcome, ListedPayment } from "../provider.ts";
import type { ChargeDetails, ProviderPayment, UnreadableRecord } from "../charge.ts";
import type { PixOrder } from "./charge-request.ts";
import { isAsOrdered, type DueCob } from "./due-charge.ts";
import type { TimeBounds } from "../calls/told-time.ts";
import { parsePix } from "./received-pix.ts";
import { unreadableRecord } from "./unreadable-record.ts";
import { entriesOf, type Calendario, type Cob, type CobState } from "./wire.ts";

/** BACEN's defaults, where the PSP's answer leaves them out. */
const EXPIRACAO_DEFAULT_S = 86_400;
const VALIDADE_DEFAULT_DAYS = 30;
const PIX_CODE_MAX = 512;

/** A registered charge, or `unknown` where the answer is not of this order or cannot be paid. */
export function toRegistration(
  cob: z.infer<typeof DueCob>,
  order: PixOrder,
  pixKey: string,
): ChargeOutcome {
  const due = order.pix?.due;
  const ours =
    isSameTxid(cob.txid, order.chargeId) &&
    cob.valor.original === order.amount &&
    cob.chave.toLowerCase() === pixKey.toLowerCase() &&
    (due === undefined || isAsOrdered(cob, due));
  const qrcode = ours ? brCodeOf(cob, order) : null;
  if (qrcode === null) return { kind: "unknown" };
  return {
    kind: "registered",
    pix: {
      qrcode,
      url: null,
      expirationDate: due === undefined ? expiryOf(cob.calendario) : payableUntil(due),
    },
  };
}

/** A charge with its unreadable payments, or the reason why its state is unclear. */
export type CobReport =
  | { kind: "known"; charge: ChargeDetails; unreadable: UnreadableRecord[] }
  /** `CONCLUIDA` without a payment: the list of payments has it, or will have. */
  | { kind: "paid_without_payments" }
  | { kind: "unparseable"; fault: string };

/**
 * The state of a charge with all of its money that can be read. A payment that cannot be hides no
 * other; but where none can, nothing is clear: the charge was paid, and by how much is not known.
 */
export function chargeReport(cob: CobState, chargeId: string, bounds: TimeBounds): CobReport {
  if (!isSameTxid(cob.txid, chargeId))
    return { kind: "unparseable", fault: "txid: Names another charge" };
  const { payments, missed: unreadable } = paymentsOf(cob, bounds);
  if (payments.length === 0) {
    const [first] = unreadable;
    if (first !== undefined) return { kind: "unparseable", fault: `pix.${first.fault}` };
    if (cob.status === "CONCLUIDA") return { kind: "paid_without_payments" };
    if (cob.status === null) return { kind: "unparseable", fault: "status: Unknown value" };
  }
  const charge = {
    status: statusOf(cob, payments.length > 0, bounds.nowMs),
    payments: payments.map(toPayment),
    disputes: payments.flatMap(({ disputes }) => disputes),
    refunds: payments.flatMap(({ refunds }) => refunds),
  };
  return { kind: "known", charge, unreadable };
}

/** A listed payment without what the charge says already. */
export function toPayment({
  chargeId: _charge,
  txid: _txid,
  pixKey: _key,
  disputes: _disputes,
  refunds: _refunds,
  ...payment
}: ListedPayment): ProviderPayment {
  return payment;
}

/** The payments of a charge. A payment that names another charge counts as unreadable. */
export function paymentsOf(
  cob: Pick<CobState, "txid" | "pix">,
  bounds: TimeBounds,
): {
  payments: ListedPayment[];
  missed: UnreadableRecord[];
} {
  const payments: ListedPayment[] = [];
  const missed: UnreadableRecord[] = [];
  for (const entry of entriesOf(cob.pix)) {
    const read = parsePix(entry, bounds);
    if (read.kind === "unreadable") missed.push(read.record);
    else if (!isSameTxid(read.payment.txid ?? cob.txid, cob.txid)) {
      missed.push(unreadableRecord("payment", entry, "txid: Names another charge"));
    } else {
      payments.push(read.payment);
      missed.push(...read.unreadable);
    }
  }
  return { payments, missed };
}

/** The API has no status for an expired charge: it stays `ATIVA`. */
function statusOf(
  { status, calendario }: CobState,
  isPaid: boolean,
  nowMs: number,
): ChargeDetails["status"] {
  switch (status) {
    case "ATIVA":
      return !isPaid && calendario !== null && hasExpired(calendario, nowMs) ? "expired" : "open";
    case "CONCLUIDA":
    case null:
      return "open";
    case "REMOVIDA_PELO_USUARIO_RECEBEDOR":
      return "cancelled";
    case "REMOVIDA_PELO_PSP":
      return "failed";
  }
}

/** Until when an open `cob` can be paid (epoch ms); null of any other, and where the answer does not say. */
export function openUntil({ status, calendario }: CobState): number | null {
  return status === "ATIVA" && calendario !== null && dueDays(calendario) === null
    ? endOfSeconds(calendario)
    : null;
}

/** When a charge can be paid no longer, as far as the calendar tells. */
function expiryOf(calendario: Calendario): number {
  const days = dueDays(calendario);
  return days === null ? endOfSeconds(calendario) : payableUntil(days);
}

/** Of a `cobv` only after any holiday that its payer's bank may know. */
function hasExpired(calendario: Calendario, nowMs: number): boolean {
  const days = dueDays(calendario);
  return (days === null ? endOfSeconds(calendario) : dueExpiresAt(days)) < nowMs;
}

function endOfSeconds({ criacao, expiracao }: Calendario): number {
  return criacao + (expiracao ?? EXPIRACAO_DEFAULT_S) * 1_000;
}

/** Due date and validity of a `cobv`; null of a `cob`. */
function dueDays({ dataDeVencimento, validadeAposVencimento }: Calendario) {
  if (dataDeVencimento === null || dataDeVencimento === undefined) return null;
  return {
    dueDate: dataDeVencimento,
    validityAfterDue: validadeAposVencimento ?? VALIDADE_DEFAULT_DAYS,
  };
}

/** The PSP's own code, or one for its location; null where neither can be paid as this one charge. */
function brCodeOf(cob: Cob, order: PixOrder): string | null {
  const given = cob.pixCopiaECola ?? "";
  if (isDynamicCode(given)) return given;
  const location = (cob.location ?? cob.loc?.location ?? "").replace(/^https?:\/\//i, "");
  const made = encodeBrCode({
    target: { location },
    merchantName: order.merchantName,
    merchantCity: MERCHANT_CITY,
    // What is due changes with the day.
    ...(order.pix?.due === undefined ? { amount: order.amount } : {}),
  });
  return isDynamicCode(made) ? made : null;
}

/** A static code could be paid repeatedly, and its payments would name no charge. */
function isDynamicCode(code: string): boolean {
  if (code.length > PIX_CODE_MAX) return false;
  const verdict = parseBrCode(code);
  return verdict.valid && verdict.content.kind === "dynamic";
}
