import type { ApiProblem } from "../../api.ts";
import { dateTime, money } from "../../format.ts";
import { fill, type Language, type Texts } from "../../texts.ts";
import { ActionForm, Facts, ProblemNotice } from "../../ui/parts.tsx";
import { payerText, PAYMENTS_PATH, type Payment } from "./payment.ts";

export type Decision = "credit" | "return";

/** What a decision will do, before it is made: amount, receiver and the balance after. */
export function Confirm(props: {
  payment: Payment;
  decision: Decision;
  companyName: string;
  /** Centavos that may be withdrawn now; null where it is not known. */
  balance: number | null;
  idempotencyKey: string;
  problem: ApiProblem | null;
  texts: Texts;
  language: Language;
}) {
  const { payment, decision, companyName, balance, problem, texts, language } = props;
  const words = texts.unexpectedPayments;
  const amount = money(payment.amount, language);
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} texts={texts} />}
      <p>{fill(effectOf(props), { amount })}</p>
      <Facts
        of={[
          [words.columns.amount, amount],
          [words.columns.reason, words.reasons[payment.reason]],
          [words.columns.receivedAt, dateTime(payment.receivedAt, language)],
          [words.columns.payer, payerText(payment.payer) ?? words.payerUnknown],
          [
            words.columns.receiver,
            decision === "credit" ? companyName : (payerText(payment.payer) ?? words.samePayer),
          ],
          [words.columns.transaction, payment.transactionId],
          [words.columns.balance, balance === null ? null : money(balance, language)],
          [words.columns.balanceAfter, balance === null ? null : balanceAfter(props, balance)],
        ]}
      />
      {payment.status === "kept" ? (
        <ActionForm
          action={`${PAYMENTS_PATH}/${encodeURIComponent(payment.id)}/${decision}`}
          idempotencyKey={props.idempotencyKey}
          submit={fill(words[decision].submit, { amount })}
          isDangerous={decision === "return"}
        />
      ) : (
        <p>{fill(words.decided, { status: words.statuses[payment.status] })}</p>
      )}
      <p>
        <a href={PAYMENTS_PATH}>{words.back}</a>
      </p>
    </>
  );
}

type EffectProps = Pick<Parameters<typeof Confirm>[0], "payment" | "decision" | "texts">;

function effectOf({ payment, decision, texts }: EffectProps): string {
  const { credit, return: giveBack } = texts.unexpectedPayments;
  if (decision === "return") return giveBack.effect;
  return payment.transactionId === null ? credit.effectNew : credit.effectOwn;
}

/** A return leaves the balance, for the payment was never credited. A credit has a fee and a release day. */
function balanceAfter(
  { payment, decision, texts, language }: EffectProps & { language: Language },
  balance: number,
): string {
  if (decision === "return") return money(balance, language);
  const most = money(balance + payment.amount, language);
  return fill(texts.unexpectedPayments.credit.balanceAfter, { most });
}
