import {
  UNEXPECTED_REASONS,
  UNEXPECTED_RULES,
} from "../../../../domain/charges/unexpected-payment.ts";
import type { ApiProblem } from "../../api.ts";
import { useTexts } from "../../texts.ts";
import { ActionForm, Choice, DoneNotice, ProblemNotice } from "../../ui/parts.tsx";
import { PAYMENTS_PATH } from "./payment.ts";

/** What becomes of each kind of unexpected payment by itself. */
export function RulesForm(props: {
  rules: Record<string, string | undefined>;
  idempotencyKey: string;
  problem: ApiProblem | null;
  isDone: boolean;
}) {
  const { rules, idempotencyKey, problem, isDone } = props;
  const labels = useTexts().unexpectedPayments;
  return (
    <>
      {isDone ? <DoneNotice>{labels.rules.done}</DoneNotice> : null}
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <p>{labels.rules.about}</p>
      <ActionForm
        action={`${PAYMENTS_PATH}/rules`}
        idempotencyKey={idempotencyKey}
        submit={labels.rules.submit}
      >
        {UNEXPECTED_REASONS.map((reason) => (
          <Choice
            label={labels.reasons[reason]}
            name={reason}
            value={rules[reason] ?? "keep"}
            options={UNEXPECTED_RULES.map((rule): [string, string] => [
              rule,
              labels.rules.names[rule],
            ])}
            errors={problem?.errors?.[`unexpectedPayments.${reason}`]}
          />
        ))}
      </ActionForm>
      <p>
        <a href={PAYMENTS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}
