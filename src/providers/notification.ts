import type {
  ReportedPayment,
  ReportedPayout,
  UnreadableReport,
} from "../domain/reconciliation/callback.ts";

/**
 * What a callback's body names. None of it is trusted: each object is queried at the provider, whose answer must come
 * to say the same.
 */
export type CallbackNotification =
  | { kind: "charge"; chargeId: string; report: ReportedPayment }
  /** Received for no charge of ours. */
  | { kind: "payment"; report: ReportedPayment }
  | { kind: "refund"; refundId: string; paymentId: string }
  | { kind: "payout"; payoutId: string; report: ReportedPayout }
  /** It names one of our charges and says nothing of it. */
  | { kind: "subject"; chargeId: string }
  /** A mandate of Pix Automático, of ours or of others: its id at the PSP (`idRec`). */
  | { kind: "mandate"; mandateId: string }
  /** The automatic debit of one of our charges. */
  | { kind: "debit"; chargeId: string }
  /** It names only a notice, whose content the provider has (`readNotice`). */
  | { kind: "notice"; token: string }
  /** It names nothing, or a return that cannot be read: for people to look at. */
  | { kind: "unreadable"; report: UnreadableReport };

/** A charge that a notice is about. `isOpen`: the last that it says of it leaves the charge open. */
export interface NoticedCharge {
  chargeId: string;
  isOpen: boolean;
}

/** Which charges of ours a notice is about, as its provider says. */
export type NoticeReport =
  | { kind: "known"; charges: NoticedCharge[] }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** Reads what the provider of one account calls back with. */
export interface CallbackReader {
  /** What a body names: parsed JSON, or an object of a form's fields. */
  readCallback(body: unknown): CallbackNotification[];
  /** Asks the provider what a notice is about. */
  readNotice(token: string): Promise<NoticeReport>;
}
