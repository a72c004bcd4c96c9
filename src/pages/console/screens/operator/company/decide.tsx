import { fill, useLocale, useTexts } from "../../../texts.ts";
import { ActionForm, Choice, Facts, Field } from "../../../ui/parts.tsx";
import type { Form } from "../../answers.tsx";
import { ReasonField } from "../companies/new.tsx";
import type { UndecidedItem } from "./health.tsx";

/** The decision on what a provider left open: what it is, what each outcome books, and the form. */
export function DecideForm(props: {
  item: UndecidedItem;
  /** The receiver of a payout; null for an operation. */
  receiver: string | null;
  action: string;
  form: Form;
  errors: Record<string, string[]>;
  idempotencyKey: string;
}) {
  const { money } = useLocale();
  const { item, receiver, action, form, errors, idempotencyKey } = props;
  const labels = useTexts().operatorCompanies;
  const kinds: Record<string, string> = labels.kinds;
  const amount = money(item.amount);
  const books = item.kind === "payout" ? labels.payoutBooks : labels.operationBooks;
  return (
    <>
      <Facts
        of={[
          [labels.kind, kinds[item.kind] ?? item.kind],
          [labels.id, item.id],
          [labels.amount, amount],
          [labels.receiver, receiver],
          [labels.asked, String(item.checks)],
        ]}
      />
      <div class="notice open">
        <p>{labels.decideOnly}</p>
        <ul>
          <li>{fill(books.done, { amount })}</li>
          <li>{fill(books.failed, { amount })}</li>
        </ul>
        <p>{labels.secondPerson}</p>
      </div>
      <ActionForm
        action={action}
        idempotencyKey={idempotencyKey}
        submit={fill(labels.decideAmount, { amount })}
        isDangerous
      >
        <Choice
          label={labels.outcome}
          name="outcome"
          value={form.outcome ?? "done"}
          options={[
            ["done", labels.outcomes.done],
            ["failed", labels.outcomes.failed],
          ]}
          errors={errors["outcome"]}
        />
        {item.kind === "payout" ? (
          <Field
            label={labels.endToEndId}
            name="endToEndId"
            value={form.endToEndId ?? ""}
            errors={errors["endToEndId"]}
          />
        ) : null}
        <ReasonField form={form} errors={errors} />
      </ActionForm>
    </>
  );
}
