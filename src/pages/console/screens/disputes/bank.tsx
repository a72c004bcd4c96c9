import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Section } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { disputePath, isRefundable, type Dispute } from "./dispute.ts";

interface BankProps {
  dispute: Dispute;
  /** Whether the dossier may be sent, by the dispute's state and this role. */
  maySend: boolean;
  /** Whether this role may refund. */
  mayRefund: boolean;
  idempotencyKey: string;
}

/** What the bank has of the merchant's answer, and the two ways to answer it: the dossier, or the money. */
export function AtTheBank({ dispute, maySend, mayRefund, idempotencyKey }: BankProps) {
  const { money, dateTime } = useLocale();
  const { bank: labels } = useTexts().disputes;
  const { response, amount, id } = dispute;
  return (
    <Section title={labels.title}>
      {response === null ? (
        <p>{labels.none}</p>
      ) : (
        <Facts
          of={[
            [
              labels.status,
              <Badge tone={TONES.disputeResponse[response.status]}>
                {labels.state[response.status]}
              </Badge>,
            ],
            [labels.version, String(response.version)],
            [labels.sent, dateTime(response.sentAt)],
            [labels.answered, dateTime(response.answeredAt)],
            [labels.answer, response.answer],
          ]}
        />
      )}
      {maySend ? (
        <ActionForm
          action={`${disputePath(id)}/response`}
          idempotencyKey={idempotencyKey}
          submit={response === null ? labels.send : labels.sendAgain}
        >
          <p class="hint">{labels.sendAbout}</p>
        </ActionForm>
      ) : null}
      {mayRefund && isRefundable(dispute) ? (
        <p class="actions">
          <a class="button" href={`${disputePath(id)}/refund`}>
            {fill(labels.refund, { amount: money(amount) })}
          </a>
        </p>
      ) : null}
    </Section>
  );
}

/** The last step of a refund instead: what it does, how much exactly, and the form that does it. */
export function RefundInstead({
  dispute,
  idempotencyKey,
}: Pick<BankProps, "dispute" | "idempotencyKey">) {
  const { money } = useLocale();
  const { bank: labels, columns } = useTexts().disputes;
  const path = disputePath(dispute.id);
  return (
    <>
      <p>{labels.refundAbout}</p>
      <Facts
        of={[
          [columns.amount, money(dispute.amount)],
          [columns.held, money(dispute.held)],
        ]}
      />
      <ActionForm
        action={`${path}/refund`}
        idempotencyKey={idempotencyKey}
        submit={fill(labels.refundNow, { amount: money(dispute.amount) })}
        isDangerous
      />
      <p>
        <a href={path}>{labels.back}</a>
      </p>
    </>
  );
}
