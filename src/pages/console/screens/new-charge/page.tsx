import type { ApiProblem } from "../../api.ts";
import { useTexts } from "../../texts.ts";
import { ActionForm, Choice, Field, ProblemNotice } from "../../ui/parts.tsx";
import { installmentOptions } from "../payment-links/installments.ts";
import type { Typed } from "./request.ts";

interface FormProps {
  typed: Typed;
  errors: Record<string, string[]>;
  problem?: ApiProblem | undefined;
  idempotencyKey: string;
}

/** The form of a new charge, with what was typed and the errors at their fields. */
export function NewChargeForm({ typed, errors, problem, idempotencyKey }: FormProps) {
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
        <Choice
          label={labels.method}
          name="method"
          value={typed.method}
          options={[
            ["PIX", labels.pix],
            ["BOLETO", labels.boleto],
            ["CREDIT_CARD", labels.card],
          ]}
        />
        <p class="hint">{labels.cardHint}</p>
        <Field
          label={labels.amount}
          hint={labels.amountHint}
          inputmode="decimal"
          required
          {...field("amount")}
        />
        <Field label={labels.reference} hint={labels.referenceHint} {...field("externalRef")} />
        <Field label={labels.description} hint={labels.descriptionHint} {...field("description")} />
        <fieldset>
          <legend>{labels.payer}</legend>
          <p class="hint">{labels.payerHint}</p>
          <Field label={labels.name} {...field("name")} />
          <Field label={labels.document} inputmode="numeric" {...field("document")} />
          <Field label={labels.email} type="email" inputmode="email" {...field("email")} />
        </fieldset>
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
        <Field label={labels.dueDate} hint={labels.dueDateHint} type="date" {...field("dueDate")} />
        <Choice
          label={labels.maxInstallments}
          name="maxInstallments"
          value={typed.maxInstallments}
          options={installmentOptions()}
        />
      </ActionForm>
    </>
  );
}
