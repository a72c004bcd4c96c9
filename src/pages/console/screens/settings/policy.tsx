import type { backtestWithdrawPolicy } from "../../../../api/withdraws/backtest/routes.ts";
import type { ApiProblem } from "../../api.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Check, Facts, Field } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { LIMITS } from "./fields.ts";

export const SETTINGS_PATH = "/console/settings";

/** Errors by field: the API's, with the path it gives them, or ours. */
export type FieldErrors = Record<string, string[]>;

/**
 * The API's errors under the form's names: the whole path, and the last word of one. An entry of a list counts for
 * the list, with its place.
 */
export function errorsOf(problem: ApiProblem | null): FieldErrors {
  const errors: FieldErrors = {};
  const add = (name: string, found: string[]) => {
    errors[name] = [...(errors[name] ?? []), ...found];
  };
  for (const [path, found] of Object.entries(problem?.errors ?? {})) {
    const [, list = "", at = ""] = /^(.+)\.(\d+)$/.exec(path) ?? [];
    const name = path.split(".").at(-1) ?? path;
    if (list !== "") {
      add(
        list,
        found.map((error) => `${Number(at) + 1}: ${error}.`),
      );
    } else {
      add(path, found);
      if (name !== path) add(name, found);
    }
  }
  return errors;
}

/** The withdraw policy. It is not saved yet: what it would have stopped is shown first. */
export function PolicyForm(props: { form: Form; errors: FieldErrors; idempotencyKey: string }) {
  const texts = useTexts();
  const { form, errors, idempotencyKey } = props;
  const { policy: labels, amountHint } = texts.settings;
  return (
    <ActionForm
      action={`${SETTINGS_PATH}/withdraws`}
      idempotencyKey={idempotencyKey}
      submit={labels.next}
    >
      <Check
        name="duplicateWithdrawGuard"
        label={labels.fields.duplicateWithdrawGuard}
        isOn={form.duplicateWithdrawGuard === "on"}
      />
      {LIMITS.map((name) => (
        <Field
          label={labels.fields[name]}
          name={name}
          value={form[name] ?? ""}
          hint={amountHint}
          errors={errors[name]}
          inputmode="decimal"
        />
      ))}
      <Check name="enforced" label={labels.fields.enforced} isOn={form.enforced === "on"} />
      <Field
        label={labels.fields.coolDownHours}
        name="coolDownHours"
        value={form.coolDownHours ?? ""}
        errors={errors.coolDownHours}
        inputmode="numeric"
      />
    </ActionForm>
  );
}

/** What the settings would have stopped, and the button that saves them. */
export function PolicyConfirm(props: {
  form: Form;
  /** Amounts in centavos. */
  backtest: RouteBody<typeof backtestWithdrawPolicy>["data"];
  idempotencyKey: string;
}) {
  const { money, date } = useLocale();
  const texts = useTexts();
  const { form, backtest, idempotencyKey } = props;
  const { policy: labels } = texts.settings;
  const { stoppedCount, checked, from, to } = backtest;
  const typed = Object.entries(form).filter(([name]) => name !== "idempotencyKey");
  return (
    <>
      <div class="notice open">
        <p>
          <strong>{fill(labels.stopped, { count: stoppedCount, checked })}</strong>
        </p>
        <p>
          {fill(labels.stoppedAmount, {
            amount: money(backtest.stoppedAmount),
            from: date(from),
            to: date(to),
          })}
        </p>
        {backtest.truncated ? <p>{labels.truncated}</p> : null}
      </div>
      <Facts
        of={[
          [labels.fields.duplicateWithdrawGuard, onOff(form.duplicateWithdrawGuard, texts)],
          ...LIMITS.map((name): [string, string] => [
            labels.fields[name],
            form[name]?.trim() ? `R$ ${form[name]}` : labels.none,
          ]),
          [labels.fields.enforced, onOff(form.enforced, texts)],
          [labels.fields.coolDownHours, form.coolDownHours],
        ]}
      />
      <ActionForm
        action={`${SETTINGS_PATH}/withdraws/save`}
        idempotencyKey={idempotencyKey}
        submit={labels.save}
      >
        {typed.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </ActionForm>
      <p>
        <a href={SETTINGS_PATH}>{labels.back}</a>
      </p>
    </>
  );
}

function onOff(value: string | undefined, { settings }: Texts): string {
  return value === "on" ? settings.policy.on : settings.policy.off;
}
