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
  const { newCharge: words } = useTexts();
  const field = (name: keyof Typed) => ({ name, value: typed[name], errors: errors[name] });
  return (
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <ActionForm
        action="/console/charges/new"
        idempotencyKey={idempotencyKey}
        submit={words.submit}
      >
        <Choice
          label={words.method}
          name="method"
          value={typed.method}
          options={[
            ["PIX", words.pix],
            ["BOLETO", words.boleto],
            ["CREDIT_CARD", words.card],
          ]}
        />
        <p class="hint">{words.cardHint}</p>
        <Field
          label={words.amount}
          hint={words.amountHint}
          inputmode="decimal"
          required
          {...field("amount")}
        />
        <Field label={words.reference} hint={words.referenceHint} {...field("externalRef")} />
        <Field label={words.description} hint={words.descriptionHint} {...field("description")} />
        <fieldset>
          <legend>{words.payer}</legend>
          <p class="hint">{words.payerHint}</p>
          <Field label={words.name} {...field("name")} />
          <Field label={words.document} inputmode="numeric" {...field("document")} />
          <Field label={words.email} type="email" inputmode="email" {...field("email")} />
        </fieldset>
        <Choice
          label={words.pixExpiry}
          name="expiresInSeconds"
          value={typed.expiresInSeconds}
          options={[
            ["3600", words.expiry.hour],
            ["86400", words.expiry.day],
            ["259200", words.expiry.threeDays],
            ["604800", words.expiry.week],
          ]}
        />
        <Field label={words.dueDate} hint={words.dueDateHint} type="date" {...field("dueDate")} />
        <Choice
          label={words.maxInstallments}
          name="maxInstallments"
          value={typed.maxInstallments}
          options={installmentOptions()}
        />
      </ActionForm>
    </>
  );
}
