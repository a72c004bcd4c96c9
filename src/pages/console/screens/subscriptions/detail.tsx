import { bankName } from "../../../../domain/subscriptions/reports/payer-banks.ts";
import { isSubscriptionOver } from "../../../../domain/subscriptions/subscription.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Facts, Field, List, Section } from "../../ui/parts.tsx";
import { Copyable } from "../payment/how-to-pay.tsx";
import { StatusBadge } from "./list.tsx";
import { subscriptionPath, type Subscription } from "./subscription.ts";

/** What is agreed, and how it stands. */
export function SubscriptionFacts({ of }: { of: Subscription }) {
  const { date, dateTime, money } = useLocale();
  const texts = useTexts().subscriptions;
  const { labels } = texts;
  const { customer, minimumAmount, retry, firstPayment, mandate, payerAccount } = of;
  const days = retry === "none" ? null : retry.join(", ");
  const ispb = mandate.payerIspb ?? payerAccount?.ispb;
  return (
    <Section title={customer.name === "" ? texts.erased : customer.name}>
      <Facts
        of={[
          [texts.columns.status, <StatusBadge status={of.status} />],
          [texts.columns.amount, money(of.amount)],
          [labels.minimum, minimumAmount === null ? null : money(minimumAmount)],
          [labels.firstPayment, firstPayment === null ? null : money(firstPayment.amount)],
          [texts.columns.period, texts.periods[of.period]],
          [labels.first, date(of.firstDueDate, "medium")],
          [labels.end, of.endDate === null ? labels.noEnd : date(of.endDate, "medium")],
          [labels.retry, days === null ? labels.noRetry : fill(labels.retryDays, { days })],
          [labels.journey, texts.journeys[of.pix.journey]],
          [labels.bank, ispb === undefined ? null : (bankName(ispb) ?? ispb)],
          [labels.reason, mandate.reason === null ? null : <MandateEnd of={mandate} />],
          [
            labels.expires,
            of.status === "pending_approval" ? dateTime(of.approvalExpiresAt, "medium") : null,
          ],
          [labels.externalRef, of.externalRef],
          [labels.created, dateTime(of.createdAt, "medium")],
          [labels.mandate, mandate.id],
        ]}
      />
    </Section>
  );
}

/** Why the authorisation ended, what to do, and what the bank itself said. */
function MandateEnd({ of }: { of: Subscription["mandate"] }) {
  const { bankCode, bankSaid, endActions, reasons } = useTexts().subscriptions;
  const { reason, action, providerCode, providerMessage } = of;
  return (
    <>
      {reason === null ? null : `${reasons[reason]}.`}
      {action === null ? null : ` ${endActions[action]}`}
      {providerCode === null ? null : (
        <span class="hint"> {fill(bankCode, { code: providerCode })}</span>
      )}
      {providerMessage === null ? null : (
        <span class="hint"> {fill(bankSaid, { text: providerMessage })}</span>
      )}
    </>
  );
}

/** The addresses of the payer's pages. `origin`: the service's public one. */
export function PayersLinks({ of, origin }: { of: Subscription; origin: string }) {
  const labels = useTexts().subscriptions;
  if (of.secureId === null) return null;
  return (
    <Section title={labels.send}>
      {of.status === "pending_approval" ? (
        <Copyable
          id="approval-link"
          label={labels.approvalLink}
          value={`${origin}/a/${of.secureId}`}
        />
      ) : null}
      <Copyable id="own-link" label={labels.ownLink} value={`${origin}/s/${of.secureId}`} />
    </Section>
  );
}

/** The debits that come next, but for those that are open. */
export function NextCharges({ of }: { of: Subscription }) {
  const { date, money } = useLocale();
  const labels = useTexts().subscriptions;
  return (
    <Section title={labels.nextCharges}>
      <List
        caption={labels.nextCharges}
        rows={of.nextCharges}
        empty={<p>{labels.noNext}</p>}
        columns={[
          { heading: labels.due, cell: ({ dueDate }) => date(dueDate, "medium") },
          { heading: labels.columns.amount, isNumber: true, cell: ({ amount }) => money(amount) },
        ]}
      />
    </Section>
  );
}

/** What the merchant can do with a subscription that lasts. Cancelling is folded, and says what it does. */
export function Changes({ of, amountErrors }: { of: Subscription; amountErrors: string[] }) {
  const labels = useTexts().subscriptions;
  if (isSubscriptionOver(of.status)) return null;
  const { status } = of;
  return (
    <Section title={labels.change}>
      {status === "active" || status === "past_due" ? (
        <>
          <p>{labels.pauseWhat}</p>
          <Act of={of} act="pause" label={labels.pause} />
        </>
      ) : null}
      {status === "paused" ? <Act of={of} act="resume" label={labels.resume} /> : null}
      {of.minimumAmount === null ? null : (
        <ActionForm
          action={`${subscriptionPath(of.id)}/amount`}
          idempotencyKey={crypto.randomUUID()}
          submit={labels.setAmount}
        >
          <Field
            label={labels.amount}
            name="amount"
            hint={labels.amountHint}
            inputmode="decimal"
            errors={amountErrors}
            required
          />
        </ActionForm>
      )}
      <details>
        <summary>{labels.cancel}</summary>
        <p>{labels.cancelWhat}</p>
        <Act of={of} act="cancel" label={labels.cancelSure} isDangerous />
      </details>
    </Section>
  );
}

/** The payer's part, of a sandbox company. */
export function PlayPayer({ of }: { of: Subscription }) {
  const labels = useTexts().subscriptions;
  if (isSubscriptionOver(of.status)) return null;
  const acts =
    of.status === "pending_approval"
      ? (["approve", "reject"] as const)
      : (["payer-cancel"] as const);
  return (
    <Section title={labels.test}>
      {acts.map((act) => (
        <Act of={of} act={act} label={labels[act]} />
      ))}
    </Section>
  );
}

function Act(props: { of: Subscription; act: string; label: string; isDangerous?: boolean }) {
  return (
    <ActionForm
      action={`${subscriptionPath(props.of.id)}/${props.act}`}
      idempotencyKey={crypto.randomUUID()}
      submit={props.label}
      {...(props.isDangerous === true ? { isDangerous: true } : {})}
    />
  );
}
