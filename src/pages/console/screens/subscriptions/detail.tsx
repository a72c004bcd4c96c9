import { bankName } from "../../../../domain/subscriptions/reports/payer-banks.ts";
import { isDebited } from "../../../../domain/subscriptions/charge-actions.ts";
import { isSubscriptionOver } from "../../../../domain/subscriptions/subscription.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Facts, Field, List, Section } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { Copyable } from "../payment/how-to-pay.tsx";
import { ChangeDunning, dunningInWords } from "./dunning.tsx";
import { StatusBadge } from "./list.tsx";
import { subscriptionPath, SUBSCRIPTIONS_PATH, type Subscription } from "./subscription.ts";

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
          [texts.dunning.title, dunningInWords(of.dunning, texts.dunning)],
          [labels.journey, texts.journeys[of.pix.journey]],
          [labels.bank, ispb === undefined ? null : (bankName(ispb) ?? ispb)],
          [labels.owner, payerAccount?.document?.number],
          [labels.city, customer.city],
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

/** What to do where a bank says that the authorisation is of no more use: nothing is debited by it. */
export function NeedsApproval({ of }: { of: Subscription }) {
  const labels = useTexts().subscriptions;
  if (!of.mandate.needsApproval || isSubscriptionOver(of.status)) return null;
  return (
    <div class="notice bad" role="status">
      <p>{labels.needsApproval}</p>
      <p>
        <a href={`${SUBSCRIPTIONS_PATH}/new`}>{labels.new}</a>
      </p>
    </div>
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

/** An act of the page that was refused: what was typed, and why. */
export interface RefusedAct {
  action: string;
  form: Form;
  errors: NonNullable<ApiProblem["errors"]>;
}

/** Of one act's form: nothing where it was not the refused one. */
function refusedOf(refused: RefusedAct | null, action: string): Omit<RefusedAct, "action"> {
  return refused?.action === action ? refused : { form: {}, errors: {} };
}

/** The debits that come next, but for those that are open. `mayAct`: the first of them can be opened. */
export function NextCharges(props: {
  of: Subscription;
  mayAct: boolean;
  refused: RefusedAct | null;
}) {
  const { of, mayAct, refused } = props;
  const { date, money } = useLocale();
  const labels = useTexts().subscriptions;
  const [next] = of.nextCharges;
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
      {mayAct && next !== undefined && isDebited(of.status) ? (
        <OpenNext of={of} next={next} {...refusedOf(refused, "open")} />
      ) : null}
    </Section>
  );
}

/** Opens the next debit before its time; its amount can be another where the payer approved a minimum. */
function OpenNext(
  props: Omit<RefusedAct, "action"> & {
    of: Subscription;
    next: Subscription["nextCharges"][number];
  },
) {
  const { of, next, form, errors } = props;
  const { date, money } = useLocale();
  const labels = useTexts().subscriptions;
  return (
    <details open={Object.keys(errors).length > 0}>
      <summary>{fill(labels.open, { date: date(next.dueDate, "medium") })}</summary>
      <p>{labels.openWhat}</p>
      {errors["dueDate"] === undefined ? null : (
        <p class="error" role="alert">
          {errors["dueDate"].join(" ")}
        </p>
      )}
      <ActionForm
        action={`${subscriptionPath(of.id)}/open`}
        idempotencyKey={crypto.randomUUID()}
        submit={labels.openNow}
      >
        <input type="hidden" name="dueDate" value={next.dueDate} />
        {of.minimumAmount === null ? null : (
          <Field
            label={labels.openAmount}
            name="amount"
            id="open-amount"
            value={form["amount"]}
            hint={fill(labels.openAmountHint, { amount: money(next.amount) })}
            inputmode="decimal"
            errors={errors["amount"]}
          />
        )}
      </ActionForm>
    </details>
  );
}

/** What the merchant can do with a subscription that lasts. Cancelling is folded, and says what it does. */
export function Changes({ of, refused }: { of: Subscription; refused: RefusedAct | null }) {
  const labels = useTexts().subscriptions;
  if (isSubscriptionOver(of.status)) return null;
  const { status } = of;
  const amount = refusedOf(refused, "amount");
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
            value={amount.form["amount"]}
            errors={amount.errors["amount"]}
            required
          />
        </ActionForm>
      )}
      <ChangeDunning of={of} {...refusedOf(refused, "dunning")} />
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
