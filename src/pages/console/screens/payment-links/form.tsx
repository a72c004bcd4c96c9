import type { ApiProblem } from "../../api.ts";
import { useTexts } from "../../texts.ts";
import {
  ActionForm,
  Check,
  CheckGroup,
  Choice,
  Field,
  ProblemNotice,
  Section,
} from "../../ui/parts.tsx";
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
  const labels = useTexts().paymentLinks;
  const amountErrors = isAmountWrong ? [labels.amountWrong] : problem?.errors?.["amount"];
  return (
    <Section title={labels.new}>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <ActionForm
        action="/console/payment-links"
        idempotencyKey={idempotencyKey}
        submit={labels.make}
      >
        <Field
          label={labels.name}
          name="name"
          value={form["name"] ?? ""}
          hint={labels.nameHint}
          errors={problem?.errors?.["name"]}
          required
        />
        <Choice
          label={labels.kind}
          name="kind"
          value={form["kind"] ?? "fixed"}
          options={[
            ["fixed", labels.fixed],
            ["open", labels.open],
          ]}
        />
        {(["amount", "minimum", "maximum"] as const).map((name) => (
          <Field
            label={labels[name]}
            name={name}
            value={form[name] ?? ""}
            inputmode="decimal"
            errors={name === "amount" ? amountErrors : problem?.errors?.[name]}
          />
        ))}
        <Boxes form={form} errors={problem?.errors ?? {}} />
        <Field
          label={labels.maxPayments}
          name="maxPayments"
          value={form["maxPayments"] ?? ""}
          hint={labels.maxPaymentsHint}
          inputmode="numeric"
          errors={problem?.errors?.["maxPayments"]}
        />
        <Field
          label={labels.expires}
          name="expires"
          type="date"
          value={form["expires"] ?? ""}
          errors={problem?.errors?.["expiresAt"]}
        />
      </ActionForm>
    </Section>
  );
}

/** The payment methods, and what the payer is asked. A fresh form offers the first method. */
function Boxes({ form, errors }: { form: Form; errors: Record<string, string[]> }) {
  const texts = useTexts();
  const labels = texts.paymentLinks;
  const isFresh = Object.keys(form).length === 0;
  const isChecked = (name: string, byDefault = false) =>
    isFresh ? byDefault : form[name] === "on";
  return (
    <>
      <CheckGroup legend={labels.methods} name="paymentMethods" errors={errors["paymentMethods"]}>
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
      </CheckGroup>
      <Choice
        label={labels.maxInstallments}
        name="maxInstallments"
        value={form["maxInstallments"] ?? "1"}
        options={installmentOptions()}
        errors={errors["maxInstallments"]}
      />
      <Check name="saveCard" label={labels.saveCard} isOn={isChecked("saveCard")} />
      <CheckGroup legend={labels.ask} name="fields" errors={errors["fields"]}>
        {(["name", "document", "email"] as const).map((name) => (
          <Check name={`ask${name}`} label={labels.asked[name]} isOn={isChecked(`ask${name}`)} />
        ))}
      </CheckGroup>
    </>
  );
}
