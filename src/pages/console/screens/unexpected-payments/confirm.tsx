import type { ApiProblem } from "../../api.ts";
import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
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
}) {
  const { money, dateTime } = useLocale();
  const labels = useTexts().unexpectedPayments;
  const { payment, decision, companyName, balance, problem } = props;
  const amount = money(payment.amount);
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <p>{fill(effectOf(props, labels), { amount })}</p>
      <Facts
        of={[
          [labels.columns.amount, amount],
          [labels.columns.reason, labels.reasons[payment.reason]],
          [labels.columns.receivedAt, dateTime(payment.receivedAt)],
          [labels.columns.payer, payerText(payment.payer) ?? labels.payerUnknown],
          [
            labels.columns.receiver,
            decision === "credit" ? companyName : (payerText(payment.payer) ?? labels.samePayer),
          ],
          [labels.columns.transaction, payment.transactionId],
          [labels.columns.balance, balance === null ? null : money(balance)],
          [
            labels.columns.balanceAfter,
            balance === null ? null : <BalanceAfter {...{ payment, decision, balance }} />,
          ],
        ]}
      />
      {payment.status === "kept" ? (
        <ActionForm
          action={`${PAYMENTS_PATH}/${encodeURIComponent(payment.id)}/${decision}`}
          idempotencyKey={props.idempotencyKey}
          submit={fill(labels[decision].submit, { amount })}
          isDangerous={decision === "return"}
        />
      ) : (
        <p>{fill(labels.decided, { status: labels.statuses[payment.status] })}</p>
      )}
      <p>
        <a href={PAYMENTS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}

type Effect = Pick<Parameters<typeof Confirm>[0], "payment" | "decision">;

function effectOf({ payment, decision }: Effect, labels: Texts["unexpectedPayments"]): string {
  const { credit, return: giveBack } = labels;
  if (decision === "return") return giveBack.effect;
  return payment.transactionId === null ? credit.effectNew : credit.effectOwn;
}

/** A return leaves the balance, for the payment was never credited. A credit has a fee and a release day. */
function BalanceAfter({ payment, decision, balance }: Effect & { balance: number }) {
  const { money } = useLocale();
  const { credit } = useTexts().unexpectedPayments;
  if (decision === "return") return <>{money(balance)}</>;
  return <>{fill(credit.balanceAfter, { most: money(balance + payment.amount) })}</>;
}
