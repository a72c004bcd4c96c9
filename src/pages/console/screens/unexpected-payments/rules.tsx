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
  const words = useTexts().unexpectedPayments;
  return (
    <>
      {isDone ? <DoneNotice>{words.rules.done}</DoneNotice> : null}
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <p>{words.rules.about}</p>
      <ActionForm
        action={`${PAYMENTS_PATH}/rules`}
        idempotencyKey={idempotencyKey}
        submit={words.rules.submit}
      >
        {UNEXPECTED_REASONS.map((reason) => (
          <Choice
            label={words.reasons[reason]}
            name={reason}
            value={rules[reason] ?? "keep"}
            options={UNEXPECTED_RULES.map((rule): [string, string] => [
              rule,
              words.rules.names[rule],
            ])}
          />
        ))}
      </ActionForm>
      <p>
        <a href={PAYMENTS_PATH}>{words.back}</a>
      </p>
    </>
  );
}
