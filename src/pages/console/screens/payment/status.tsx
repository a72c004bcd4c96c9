import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import { payerName } from "./story.tsx";
import { Badge, Facts } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import {
  beingRefunded,
  feeOf,
  ownCredit,
  pagePath,
  type Payment,
  type TimelineItem,
} from "./payment.ts";

interface StatusProps {
  payment: Payment;
  timeline: readonly TimelineItem[];
  /** The state that the rest of the page shows. */
  since?: string | undefined;
}

/** What the page shows of the payment's state, so that a later one is noticed. */
function stateOf({ status, dispute, refundedAmount }: Payment): string {
  return [status, dispute?.status ?? "", refundedAmount].join("-");
}

/** The state in one sentence and the amounts; the script asks for it again while the page is seen. */
export function Status({ payment, timeline, since }: StatusProps) {
  const { money, dateTime } = useLocale();
  const { payment: labels } = useTexts();
  const state = stateOf(payment);
  const path = pagePath(payment.id);
  const refresh = `${path}/status?since=${encodeURIComponent(since ?? state)}`;
  const fee = feeOf(timeline);
  const { paidAmount } = payment;
  const net = payment.status !== "PAID" || paidAmount === null ? null : paidAmount - (fee ?? 0);
  const released = ownCredit(timeline) === 0;
  const { refundedAmount } = payment;
  const refunding = beingRefunded(payment);
  return (
    <div class="list section" data-refresh={refresh} aria-live="polite">
      {since === undefined || since === state ? null : (
        <div class="notice open">
          {labels.changed} <a href={path}>{labels.reload}</a>
        </div>
      )}
      <p class="state-line">
        <Badge tone={TONES.charge[payment.status]}>{labels.status[payment.status]}</Badge>{" "}
        <PaidLine payment={payment} />
      </p>
      <p>{labels.means[meaningOf(payment)]}</p>
      <Facts
        of={[
          [labels.amount, money(payment.amount)],
          [labels.paid, payment.paidAmount === null ? null : money(payment.paidAmount)],
          [labels.fee, fee === null ? null : money(fee)],
          [labels.net, net === null ? null : money(net)],
          [labels.whenYours, net === null ? null : labels.release[released ? "now" : "later"]],
          [labels.refunded, refundedAmount === 0 ? null : money(refundedAmount)],
          [labels.refunding, refunding === 0 ? null : money(refunding)],
          [labels.createdAt, dateTime(payment.createdAt)],
          [labels.paidAt, payment.paidAt === undefined ? null : dateTime(payment.paidAt)],
          [
            labels.expiresAt,
            payment.status === "WAITING_PAYMENT" && payment.expiresAt !== null
              ? dateTime(payment.expiresAt)
              : null,
          ],
          [labels.installments, payment.installments > 1 ? String(payment.installments) : null],
        ]}
      />
    </div>
  );
}

/** When it was paid and by whom; nothing before. */
function PaidLine({ payment }: Shown) {
  const { dateTime } = useLocale();
  const { story } = useTexts().payment;
  const { paidAt } = payment;
  if (paidAt === undefined) return null;
  const values = { time: dateTime(paidAt), name: payerName(payment) };
  return <strong>{fill(values.name === "" ? story.headline : story.headlineBy, values)}</strong>;
}

function meaningOf(payment: Payment): keyof Texts["payment"]["means"] {
  if (payment.status !== "PAID") return payment.status;
  if (payment.dispute?.status === "OPEN") return "DISPUTED";
  if (payment.refundedAmount > 0) return "PARTLY";
  return payment.underpaid ? "UNDERPAID" : "PAID";
}

interface Shown {
  payment: Payment;
}

/** Why it failed, in the person's language. */
export function Failure({ payment }: Shown) {
  const { payment: labels } = useTexts();
  const { failureReason } = payment;
  if (failureReason === undefined) return null;
  return (
    <div class="notice bad">
      <p>
        <strong>{labels.failureTitle}</strong> {labels.failure[failureReason.code]}
      </p>
      <p>{failureReason.retryable ? labels.retryable : labels.final}</p>
    </div>
  );
}

/** The payer's bank asks the money back. */
export function DisputeBox({ payment }: Shown) {
  const { payment: labels } = useTexts();
  const { money, dateTime } = useLocale();
  const { dispute } = payment;
  if (dispute === undefined) return null;
  return (
    <section class={`notice ${dispute.status === "OPEN" ? "open" : ""}`}>
      <h2>{labels.disputeTitle}</h2>
      <Facts
        of={[
          [labels.disputeTitle, labels.disputeStatus[dispute.status]],
          [labels.amount, money(dispute.amount)],
          [labels.openedAt, dateTime(dispute.createdAt)],
        ]}
      />
      <p>
        <a href={`/console/disputes/${encodeURIComponent(dispute.id)}`}>{labels.disputeLink}</a>
      </p>
    </section>
  );
}

/** The card that pays it, without its whole number; the due date of a PIX that has one. */
export function CardFacts({ payment }: Shown) {
  const { payment: labels } = useTexts();
  const { date } = useLocale();
  const { card, pix } = payment;
  const number =
    card === undefined
      ? null
      : fill(labels.cardNumber, { brand: card.brand, last: card.lastDigits });
  const dueDate = pix?.dueDate;
  if (number === null && dueDate === undefined) return null;
  return (
    <Facts
      of={[
        [labels.card, number],
        [labels.holder, card?.holderName],
        [labels.dueDate, dueDate === undefined ? null : date(dueDate)],
      ]}
    />
  );
}
