import type { ApiProblem } from "../../api.ts";
import { useTexts } from "../../texts.ts";
import { ActionForm, Check, Choice, Field, ProblemNotice, Section } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { installmentOptions } from "./installments.ts";

/** A new link. What was typed stays after a refusal. */
export function NewLinkForm(props: {
  form: Form;
  problem: ApiProblem | null;
  isAmountWrong: boolean;
  idempotencyKey: string;
}) {
  const { form, problem, isAmountWrong, idempotencyKey } = props;
  const words = useTexts().paymentLinks;
  const amountErrors = isAmountWrong ? [words.amountWrong] : problem?.errors?.["amount"];
  return (
    <Section title={words.new}>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm
        action="/console/payment-links"
        idempotencyKey={idempotencyKey}
        submit={words.make}
      >
        <Field
          label={words.name}
          name="name"
          value={form["name"] ?? ""}
          hint={words.nameHint}
          errors={problem?.errors?.["name"]}
          required
        />
        <Choice
          label={words.kind}
          name="kind"
          value={form["kind"] ?? "fixed"}
          options={[
            ["fixed", words.fixed],
            ["open", words.open],
          ]}
        />
        {(["amount", "minimum", "maximum"] as const).map((name) => (
          <Field
            label={words[name]}
            name={name}
            value={form[name] ?? ""}
            inputmode="decimal"
            errors={name === "amount" ? amountErrors : problem?.errors?.[name]}
          />
        ))}
        <Boxes form={form} />
        <Field
          label={words.maxPayments}
          name="maxPayments"
          value={form["maxPayments"] ?? ""}
          hint={words.maxPaymentsHint}
          inputmode="numeric"
          errors={problem?.errors?.["maxPayments"]}
        />
        <Field
          label={words.expires}
          name="expires"
          type="date"
          value={form["expires"] ?? ""}
          errors={problem?.errors?.["expiresAt"]}
        />
      </ActionForm>
    </Section>
  );
}

/** Ways to pay, and what the payer is asked. A fresh form offers the first way. */
function Boxes({ form }: { form: Form }) {
  const texts = useTexts();
  const words = texts.paymentLinks;
  const isFresh = Object.keys(form).length === 0;
  const isChecked = (name: string, byDefault = false) =>
    isFresh ? byDefault : form[name] === "on";
  return (
    <>
      <fieldset>
        <legend>{words.methods}</legend>
        <Check
          name="methodPIX"
          label={texts.payments.methods.PIX}
          isOn={isChecked("methodPIX", true)}
        />
        <Check
          name="methodBOLETO"
          label={texts.payments.methods.BOLETO}
          isOn={isChecked("methodBOLETO")}
        />
        <Check
          name="methodCREDIT_CARD"
          label={texts.payments.methods.CREDIT_CARD}
          isOn={isChecked("methodCREDIT_CARD")}
        />
      </fieldset>
      <Choice
        label={words.maxInstallments}
        name="maxInstallments"
        value={form["maxInstallments"] ?? "1"}
        options={installmentOptions()}
      />
      <fieldset>
        <legend>{words.ask}</legend>
        {(["name", "document", "email"] as const).map((name) => (
          <Check name={`ask${name}`} label={words.asked[name]} isOn={isChecked(`ask${name}`)} />
        ))}
      </fieldset>
    </>
  );
}
