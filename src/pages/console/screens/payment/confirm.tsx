import type { Person } from "../../../../domain/access/person.ts";
import { DEFAULT_ROLE_LIMITS } from "../../../../domain/exits/refund-policy.ts";
import { type Cents, typedReais } from "../../../../domain/shared/money.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, type Locale, type Texts, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Facts, Field, ProblemNotice } from "../../ui/parts.tsx";
import type { ActionName } from "./actions.ts";
import { pagePath, type Payment } from "./payment.ts";

interface ActionPage {
  name: ActionName;
  payment: Payment;
}

/** The first step of a refund or capture: how much. */
export function AmountStep(
  props: ActionPage & { max: Cents; typed: string; error?: string | undefined; person: Person },
) {
  const { money } = useLocale();
  const { name, payment, max, typed, error, person } = props;
  const { payment: labels } = useTexts();
  const roleLimit = DEFAULT_ROLE_LIMITS[person.role]?.refundDailyLimit ?? null;
  const limit = name === "refund" ? roleLimit : null;
  return (
    <>
      <p>{labels.effect[name]}</p>
      {limit === null ? null : (
        <p class="notice open">{fill(labels.roleLimit, { limit: money(limit) })}</p>
      )}
      <form class="action" action={`${pagePath(payment.id)}/${name}`}>
        <Field
          label={labels.howMuch}
          name="amount"
          value={typed}
          inputmode="decimal"
          hint={fill(labels.amountHint, { max: money(max) })}
          errors={error === undefined ? [] : [error]}
          required
        />
        <button type="submit" class="primary">
          {labels.next}
        </button>
      </form>
      <BackLink id={payment.id} />
    </>
  );
}

/** The last step: what will happen, with whom and how much, and the form that does it. */
export function ConfirmStep(
  props: ActionPage & {
    /** Of a refund or capture, in centavos. */
    amount: Cents | null;
    /** Of another due date: the day as it was typed; null of any other action. */
    dueDate: string | null;
    /** Of a refund: the available balance now and what the charge's own credit covers. */
    balance: { available: Cents; ownCredit: Cents } | null;
    idempotencyKey: string;
    problem?: ApiProblem | undefined;
  },
) {
  const { language, money } = useLocale();
  const { name, payment, amount, dueDate, balance, idempotencyKey, problem } = props;
  const { payment: labels } = useTexts();
  const shown = money(amount ?? payment.amount);
  const action = `${pagePath(payment.id)}/${name}`;
  return (
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <p>{labels.effect[name]}</p>
      <Facts
        of={[
          [labels.amount, shown],
          [name === "refund" ? labels.receiver : labels.from, receiverOf(payment)],
          ...balanceFacts(amount, balance, labels, money),
        ]}
      />
      <ActionForm
        action={action}
        idempotencyKey={idempotencyKey}
        submit={fill(labels.confirm[name], { amount: shown })}
        isDangerous={name !== "capture" && name !== "pay" && name !== "due-date"}
      >
        {dueDate === null ? null : (
          <Field label={labels.newDueDate} name="dueDate" type="date" value={dueDate} required />
        )}
        {amount === null ? null : (
          <input type="hidden" name="amount" value={typedReais(amount, language)} />
        )}
      </ActionForm>
      {amount === null ? null : (
        <p>
          <a href={action}>{labels.change}</a>
        </p>
      )}
      <BackLink id={payment.id} />
    </>
  );
}

function balanceFacts(
  amount: Cents | null,
  balance: { available: Cents; ownCredit: Cents } | null,
  labels: Texts["payment"],
  money: Locale["money"],
): [string, string][] {
  if (balance === null || amount === null) return [];
  const fromCredit = Math.min(amount, balance.ownCredit);
  const after = balance.available - (amount - fromCredit);
  return [
    [labels.balanceNow, money(balance.available)],
    ...(fromCredit === 0 ? [] : [[labels.ownCredit, money(fromCredit)] as [string, string]]),
    [labels.balanceAfter, after < 0 ? labels.short : money(after)],
  ];
}

/** Who paid, else who was charged; masked by the caller. */
function receiverOf({ payer, customer }: Payment): string {
  const paidBy = [payer?.name, payer?.documentMasked].filter(Boolean).join(", ");
  return paidBy === ""
    ? [customer.name, customer.document.number].filter(Boolean).join(", ")
    : paidBy;
}

/** A link to the payment's page. */
export function BackLink({ id }: { id: string }) {
  const { back } = useTexts().payment;
  return (
    <p>
      <a href={pagePath(id)}>{back}</a>
    </p>
  );
}
