import type { Person } from "../../../../domain/access/person.ts";
import { DEFAULT_ROLE_LIMITS } from "../../../../domain/exits/refund-policy.ts";
import { decimalReais, type Cents } from "../../../../domain/shared/money.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, type Locale, type Texts, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Facts, Field, ProblemNotice } from "../../ui/parts.tsx";
import type { ActionName } from "./actions.ts";
import { pagePath, type Payment } from "./payment.ts";

interface ActionPage {
  name: ActionName;
  payment: Payment;
}

/** An amount as people type it. */
export function typedAmount(cents: Cents): string {
  return decimalReais(cents).replace(".", ",");
}

/** The first step of a refund or capture: how much. */
export function AmountStep(
  props: ActionPage & { max: Cents; typed: string; error?: string | undefined; person: Person },
) {
  const { money } = useLocale();
  const { name, payment, max, typed, error, person } = props;
  const { payment: words } = useTexts();
  const roleLimit = DEFAULT_ROLE_LIMITS[person.role]?.refundDailyLimit ?? null;
  const limit = name === "refund" ? roleLimit : null;
  return (
    <>
      <p>{words.effect[name]}</p>
      {limit === null ? null : (
        <p class="notice open">{fill(words.roleLimit, { limit: money(limit) })}</p>
      )}
      <form class="action" action={`${pagePath(payment.id)}/${name}`}>
        <Field
          label={words.howMuch}
          name="amount"
          value={typed}
          inputmode="decimal"
          hint={fill(words.amountHint, { max: money(max) })}
          errors={error === undefined ? [] : [error]}
          required
        />
        <button type="submit" class="primary">
          {words.next}
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
    /** Of a refund: the available balance now and what the charge's own credit covers. */
    balance: { available: Cents; ownCredit: Cents } | null;
    idempotencyKey: string;
    problem?: ApiProblem | undefined;
  },
) {
  const { money } = useLocale();
  const { name, payment, amount, balance, idempotencyKey, problem } = props;
  const { payment: words } = useTexts();
  const shown = money(amount ?? payment.amount);
  const action = `${pagePath(payment.id)}/${name}`;
  return (
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <p>{words.effect[name]}</p>
      <Facts
        of={[
          [words.amount, shown],
          [name === "refund" ? words.receiver : words.from, receiverOf(payment)],
          ...balanceFacts(amount, balance, words, money),
        ]}
      />
      <ActionForm
        action={action}
        idempotencyKey={idempotencyKey}
        submit={fill(words.confirm[name], { amount: shown })}
        isDangerous={name !== "capture" && name !== "pay"}
      >
        {amount === null ? null : <input type="hidden" name="amount" value={typedAmount(amount)} />}
      </ActionForm>
      {amount === null ? null : (
        <p>
          <a href={action}>{words.change}</a>
        </p>
      )}
      <BackLink id={payment.id} />
    </>
  );
}

function balanceFacts(
  amount: Cents | null,
  balance: { available: Cents; ownCredit: Cents } | null,
  words: Texts["payment"],
  money: Locale["money"],
): [string, string][] {
  if (balance === null || amount === null) return [];
  const fromCredit = Math.min(amount, balance.ownCredit);
  const after = balance.available - (amount - fromCredit);
  return [
    [words.balanceNow, money(balance.available)],
    ...(fromCredit === 0 ? [] : [[words.ownCredit, money(fromCredit)] as [string, string]]),
    [words.balanceAfter, after < 0 ? words.short : money(after)],
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
