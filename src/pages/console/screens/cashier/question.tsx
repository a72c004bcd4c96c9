import type { searchReceivedPayments } from "../../../../api/payments/received-routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import type { ReceivedStatus } from "../../../../domain/charges/received-payment.ts";
import type { ApiProblem } from "../../api.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Badge, Field, List, ProblemNotice } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";

/** What the cashier asks. `at` as the browser's field has it, in America/Sao_Paulo. */
export interface Question {
  endToEndId: string;
  amount: string;
  at: string;
}

/** `amount` in centavos. */
type Received = RouteBody<typeof searchReceivedPayments>["items"][number];

/** The two ways to ask: amount and minute, or the id on the payer's receipt. */
export function QuestionForm(props: {
  question: Question;
  isAmountWrong: boolean;
  problem: ApiProblem | null;
}) {
  const { question, isAmountWrong, problem } = props;
  const labels = useTexts().cashier;
  return (
    <section class="section">
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <form class="filters" method="get" action="/console/cashier/question">
        <Field
          label={labels.amount}
          name="amount"
          value={question.amount}
          inputmode="decimal"
          errors={isAmountWrong ? [labels.amountWrong] : problem?.errors?.["amount"]}
        />
        <Field
          label={labels.at}
          name="at"
          type="datetime-local"
          value={question.at}
          errors={problem?.errors?.["at"]}
        />
        <button type="submit" class="primary">
          {labels.submit}
        </button>
      </form>
      <form class="filters" method="get" action="/console/cashier/question">
        <Field
          label={labels.endToEndId}
          name="endToEndId"
          value={question.endToEndId}
          hint={labels.endToEndHint}
          errors={problem?.errors?.["endToEndId"]}
        />
        <button type="submit">{labels.submit}</button>
      </form>
    </section>
  );
}

/** What the ledger says. */
export function Answer(props: { payments: Received[]; isWhole: boolean }) {
  const { exactTime, money } = useLocale();
  const { payments, isWhole } = props;
  const labels = useTexts().cashier;
  const isHere = payments.some(({ status }) => status === "credited");
  return (
    <>
      <div class={`notice ${isHere ? "good" : "bad"}`} role="status">
        <p>
          <strong>{isHere ? labels.arrived : labels.notArrived}</strong>{" "}
          {isHere
            ? labels.checkPayer
            : payments.length > 0
              ? labels.seeBelow
              : labels.notArrivedHint}
        </p>
        {isWhole ? null : <p>{labels.notWhole}</p>}
      </div>
      {payments.length === 0 ? null : (
        <List
          caption={labels.title}
          rows={payments}
          empty={null}
          columns={[
            {
              heading: labels.status,
              cell: ({ status }) => <StatusCell status={status} {...props} />,
            },
            { heading: labels.paidAt, cell: ({ paidAt }) => exactTime(paidAt) },
            { heading: labels.payer, cell: ({ payer }) => payer.firstName ?? labels.unknown },
            {
              heading: labels.document,
              cell: ({ payer }) => payer.documentMasked ?? labels.unknown,
            },
            { heading: labels.amount, isNumber: true, cell: (each) => money(each.amount) },
          ]}
        />
      )}
    </>
  );
}

function StatusCell({ status }: { status: ReceivedStatus }) {
  const texts = useTexts();
  return <Badge tone={TONES.receivedPayment[status]}>{texts.cashier.statuses[status]}</Badge>;
}
