import { PIX_KEY_TYPES } from "../../../../domain/shared/pix-key.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { sentenceOfCode } from "../../../shared/refusals/refusals.ts";
import { ActionForm, Choice, Facts, Field, ProblemNotice } from "../../ui/parts.tsx";
import type { Typed } from "./request.ts";
import { WITHDRAWS_PATH, type DryRun } from "./withdraw.ts";

/** The first step: how much, and to whom. Posted, because a PIX key may be a CPF. */
export function RequestForm(props: {
  typed: Typed;
  problem: ApiProblem | null;
  amountError: string | null;
}) {
  const { typed, problem, amountError } = props;
  const labels = useTexts().withdraws;
  const errors = problem?.errors ?? {};
  return (
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <form class="action" method="post" action={`${WITHDRAWS_PATH}/new`}>
        <Field
          label={labels.amountInReais}
          name="amount"
          inputmode="decimal"
          value={typed.amount}
          errors={amountError === null ? errors["amount"] : [amountError]}
          required
        />
        <Field
          label={labels.pixKey}
          name="pixKey"
          value={typed.pixKey}
          hint={labels.mainKeyHint}
          errors={errors["pixKey"]}
          autocomplete="off"
        />
        <Choice
          label={labels.pixKeyType}
          name="pixKeyType"
          value={typed.pixKeyType}
          options={[
            ["", labels.anyType],
            ...PIX_KEY_TYPES.map((type): [string, string] => [type, labels.types[type]]),
          ]}
          errors={errors["pixKeyType"]}
        />
        <Field
          label={labels.description}
          name="description"
          value={typed.description}
          errors={errors["description"]}
        />
        <button type="submit" class="primary">
          {labels.check}
        </button>
      </form>
    </>
  );
}

/** The last step: what would happen, and the form that makes it happen once. */
export function ConfirmForm(props: { typed: Typed; dryRun: DryRun; idempotencyKey: string }) {
  const locale = useLocale();
  const { typed, dryRun, idempotencyKey } = props;
  const labels = useTexts().withdraws;
  const shown = (reais: number) => locale.money(reaisToCents(reais));
  const refusals = dryRun.checks.filter(({ passed }) => !passed);
  return (
    <>
      <Facts
        of={[
          [labels.amount, shown(dryRun.value)],
          [labels.fee, shown(dryRun.fee)],
          [labels.receiver, typed.pixKey === "" ? (dryRun.pixKey ?? "–") : typed.pixKey],
          [labels.balanceBefore, shown(dryRun.balanceBefore)],
          [labels.balanceAfter, shown(dryRun.balanceAfter)],
        ]}
      />
      {dryRun.accepted ? (
        <>
          {dryRun.approval === "pending" ? <p class="notice open">{labels.willWait}</p> : null}
          <ActionForm
            action={WITHDRAWS_PATH}
            idempotencyKey={idempotencyKey}
            submit={fill(labels.send, { amount: shown(dryRun.value) })}
          >
            <input type="hidden" name="amount" value={typed.amount} />
            <input type="hidden" name="pixKey" value={typed.pixKey} />
            <input type="hidden" name="pixKeyType" value={typed.pixKeyType} />
            <input type="hidden" name="description" value={typed.description} />
          </ActionForm>
        </>
      ) : (
        <div class="notice bad" role="alert">
          <p>{labels.wouldRefuse}</p>
          <ul>
            {refusals.map(({ code }) => (
              <li>{code === null ? labels.noMainKey : sentenceOfCode(locale, code)}</li>
            ))}
          </ul>
        </div>
      )}
      <p>
        <a href={`${WITHDRAWS_PATH}/new`}>{labels.change}</a>
      </p>
    </>
  );
}
