import { PERIODS, SUBSCRIPTION_JOURNEYS } from "../../../../domain/subscriptions/subscription.ts";
import type { ApiProblem } from "../../api.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Choice, Field, ProblemNotice, Section } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { DunningFields } from "./dunning.tsx";
import { RETRIES, type RetryName } from "./request.ts";
import { SUBSCRIPTIONS_PATH } from "./subscription.ts";

interface FormProps {
  form: Form;
  problem: ApiProblem | null;
  isAmountWrong: boolean;
  idempotencyKey: string;
  /** `YYYY-MM-DD`, the first due date of a journey whose first cycle is paid by a code. */
  today: string;
  /** The first day for which a debit can still be ordered: that of the other journeys. */
  earliest: string;
}

/** A new subscription. A day that a bank refuses says why at its field. What was typed stays. */
export function NewSubscriptionForm(props: FormProps) {
  const { form, problem, idempotencyKey } = props;
  const labels = useTexts().subscriptions;
  return (
    <Section title={labels.new}>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm
        action={SUBSCRIPTIONS_PATH}
        idempotencyKey={idempotencyKey}
        submit={labels.form.make}
      >
        <Customer {...props} />
        <Amount {...props} />
        <Approval {...props} />
        <Days {...props} />
        <DunningFields form={form} errors={problem?.errors ?? {}} />
      </ActionForm>
    </Section>
  );
}

function Customer({ form, problem }: FormProps) {
  const labels = useTexts().subscriptions.form;
  const errors = problem?.errors ?? {};
  return (
    <>
      <Field
        label={labels.name}
        name="name"
        value={form["name"]}
        errors={errors["customer.name"]}
        required
      />
      <Field
        label={labels.document}
        name="document"
        value={form["document"]}
        errors={errors["customer.document.number"]}
        inputmode="numeric"
        required
      />
      <Field
        label={labels.email}
        name="email"
        value={form["email"]}
        errors={errors["customer.email"] ?? errors["dunning"]}
        inputmode="email"
      />
      <Field
        label={labels.description}
        name="description"
        value={form["description"]}
        errors={errors["description"]}
        maxlength={35}
        required
      />
      <Field
        label={labels.externalRef}
        name="externalRef"
        value={form["externalRef"]}
        errors={errors["externalRef"]}
        maxlength={60}
      />
      <Field
        label={labels.city}
        name="city"
        value={form["city"]}
        hint={labels.cityHint}
        errors={errors["customer.city"]}
        inputmode="numeric"
        maxlength={7}
      />
    </>
  );
}

function Amount({ form, problem, isAmountWrong }: FormProps) {
  const texts = useTexts().subscriptions;
  const labels = texts.form;
  const errors = problem?.errors ?? {};
  return (
    <>
      <Choice
        label={labels.kind}
        name="kind"
        value={form["kind"] ?? "fixed"}
        options={[
          ["fixed", labels.fixed],
          ["variable", labels.variable],
        ]}
      />
      <Field
        label={labels.amount}
        name="amount"
        value={form["amount"]}
        inputmode="decimal"
        errors={isAmountWrong ? [texts.amountWrong] : (errors["amount"] ?? errors["minimumAmount"])}
        required
      />
    </>
  );
}

function Days({ form, problem, today, earliest }: FormProps) {
  const { date } = useLocale();
  const texts = useTexts().subscriptions;
  const labels = texts.form;
  const errors = problem?.errors ?? {};
  const isRetryWrong = Object.keys(errors).some((path) => /^retry\b/.test(path));
  return (
    <>
      <Choice
        label={labels.period}
        name="period"
        value={form["period"] ?? "MONTHLY"}
        options={PERIODS.map((each) => [each, texts.periods[each]])}
        errors={errors["period"]}
      />
      <Field
        label={labels.firstDueDate}
        name="firstDueDate"
        type="date"
        value={form["firstDueDate"]}
        min={today}
        hint={fill(labels.firstHint, { date: date(earliest, "medium") })}
        errors={errors["firstDueDate"]}
        required
      />
      <Field
        label={labels.endDate}
        name="endDate"
        type="date"
        min={today}
        hint={labels.endHint}
        value={form["endDate"]}
        errors={errors["endDate"]}
      />
      <Choice
        label={labels.retry}
        name="retry"
        value={form["retry"] ?? "135"}
        options={(Object.keys(RETRIES) as RetryName[]).map((name) => [name, labels.retries[name]])}
      />
      <Field
        label={labels.retryDays}
        name="retryDays"
        value={form["retryDays"]}
        hint={labels.retryDaysHint}
        errors={isRetryWrong ? [labels.retryDaysWrong] : []}
      />
    </>
  );
}

function Approval({ form, problem }: FormProps) {
  const texts = useTexts().subscriptions;
  const labels = texts.form;
  const errors = problem?.errors ?? {};
  return (
    <>
      <Choice
        label={labels.journey}
        name="journey"
        value={form["journey"] ?? "QR"}
        options={SUBSCRIPTION_JOURNEYS.map((each) => [each, texts.journeys[each]])}
        errors={errors["journey"]}
      />
      <Field
        label={labels.firstPayment}
        name="firstPayment"
        value={form["firstPayment"]}
        inputmode="decimal"
        errors={errors["firstPayment"] ?? errors["firstPayment.amount"]}
      />
      <fieldset>
        <legend>{labels.bank}</legend>
        {(["ispb", "branch", "account"] as const).map((name) => (
          <Field
            label={labels[name]}
            name={name}
            value={form[name]}
            inputmode="numeric"
            errors={
              errors[`payerAccount.${name}`] ??
              (name === "ispb" ? errors["payerAccount"] : undefined)
            }
          />
        ))}
        <Field
          label={labels.ownerDocument}
          name="ownerDocument"
          value={form["ownerDocument"]}
          inputmode="numeric"
          errors={errors["payerAccount.document.number"]}
        />
      </fieldset>
    </>
  );
}
