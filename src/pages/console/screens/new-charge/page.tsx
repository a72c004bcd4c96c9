import type { ApiProblem } from "../../api.ts";
import { useTexts } from "../../texts.ts";
import { ActionForm, Choice, Field, ProblemNotice } from "../../ui/parts.tsx";
import { installmentOptions } from "../payment-links/installments.ts";
import type { KnownPayer } from "./known-payers.ts";
import type { Typed } from "./request.ts";

/** A field's name, what was typed and what is wrong with it. */
interface TypedField {
  name: string;
  value: string;
  errors: string[] | undefined;
}

interface FormProps {
  /** Payers of earlier charges, to choose from. */
  known: KnownPayer[];
  typed: Typed;
  errors: Record<string, string[]>;
  problem?: ApiProblem | undefined;
  idempotencyKey: string;
}

/** The form of a new charge, with what was typed and the errors at their fields. */
export function NewChargeForm(props: FormProps) {
  const { typed, errors, problem, idempotencyKey, known } = props;
  const { newCharge: labels } = useTexts();
  const field = (name: keyof Typed) => ({ name, value: typed[name], errors: errors[name] });
  return (
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <ActionForm
        action="/console/charges/new"
        idempotencyKey={idempotencyKey}
        submit={labels.submit}
      >
        <Field
          label={labels.amount}
          hint={labels.amountHint}
          inputmode="decimal"
          required
          {...field("amount")}
        />
        {known.length === 0 ? null : (
          <div class="known-payer">
            <Choice
              label={labels.payer}
              name="payerOf"
              value={typed.payerOf}
              options={[
                ["", labels.newPayer],
                ...known.map(({ id, shown }): [string, string] => [id, shown]),
              ]}
            />
          </div>
        )}
        <fieldset class="new-payer">
          <legend>{labels.newPayer}</legend>
          <p class="hint">{labels.payerHint}</p>
          <Field label={labels.name} {...field("name")} />
          <Field label={labels.document} inputmode="numeric" {...field("document")} />
          <Field label={labels.email} type="email" inputmode="email" {...field("email")} />
        </fieldset>
        <Field label={labels.description} hint={labels.descriptionHint} {...field("description")} />
        <Field label={labels.reference} hint={labels.referenceHint} {...field("externalRef")} />
        <Method typed={typed} dueDate={field("dueDate")} />
      </ActionForm>
    </>
  );
}

/**
 * The payment method, and what only one of them needs: the style sheet shows the fields of the chosen one. Where it
 * cannot, all are shown, and the request takes those of the chosen method alone.
 */
function Method({ typed, dueDate }: { typed: Typed; dueDate: TypedField }) {
  const { newCharge: labels } = useTexts();
  const methods = [
    ["PIX", labels.pix],
    ["BOLETO", labels.boleto],
    ["CREDIT_CARD", labels.card],
  ] as const;
  return (
    <fieldset class="methods">
      <legend>{labels.method}</legend>
      <div class="method-choice">
        {methods.map(([value, label]) => (
          <label>
            <input type="radio" name="method" value={value} checked={typed.method === value} />{" "}
            {label}
          </label>
        ))}
      </div>
      <div class="of-pix">
        <Choice
          label={labels.pixExpiry}
          name="expiresInSeconds"
          value={typed.expiresInSeconds}
          options={[
            ["3600", labels.expiry.hour],
            ["86400", labels.expiry.day],
            ["259200", labels.expiry.threeDays],
            ["604800", labels.expiry.week],
          ]}
        />
      </div>
      <div class="of-boleto">
        <Field label={labels.dueDate} hint={labels.dueDateHint} type="date" {...dueDate} />
      </div>
      <div class="of-card">
        <p class="hint">{labels.cardHint}</p>
        <Choice
          label={labels.maxInstallments}
          name="maxInstallments"
          value={typed.maxInstallments}
          options={installmentOptions()}
        />
      </div>
    </fieldset>
  );
}
