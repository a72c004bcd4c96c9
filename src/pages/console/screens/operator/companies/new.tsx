import { PIX_KEY_TYPES } from "../../../../../domain/shared/pix-key.ts";
import { useTexts } from "../../../texts.ts";
import { ActionForm, Choice, DoneNotice, Facts, Field } from "../../../ui/parts.tsx";
import type { Form } from "../../answers.tsx";
import { COMPANIES_PATH, type MadeCompany } from "./company.ts";

interface FieldsProps {
  form: Form;
  errors: Record<string, string[]>;
}

/** The fields of a company that its form makes or changes. */
export function CompanyFields({ form, errors }: FieldsProps) {
  const texts = useTexts();
  const labels = texts.operatorCompanies;
  const field = (name: "name" | "document" | "pixKey", hint?: string) => (
    <Field
      label={labels[name]}
      name={name}
      value={form[name] ?? ""}
      errors={errors[name]}
      required={name === "name"}
      autocomplete="off"
      {...(hint === undefined ? {} : { hint })}
    />
  );
  return (
    <>
      {field("name")}
      <Choice
        label={labels.mode}
        name="mode"
        value={form.mode ?? "sandbox"}
        options={[
          ["sandbox", labels.modes.sandbox],
          ["live", labels.modes.live],
        ]}
        errors={errors["mode"]}
      />
      {field("document", labels.documentHint)}
      {field("pixKey", labels.pixKeyHint)}
      <Choice
        label={labels.pixKeyType}
        name="pixKeyType"
        value={form.pixKeyType ?? ""}
        options={[
          ["", texts.withdraws.anyType],
          ...PIX_KEY_TYPES.map((type): [string, string] => [type, texts.withdraws.types[type]]),
        ]}
        errors={errors["pixKeyType"]}
      />
    </>
  );
}

/** The form that makes a company, once for its key. */
export function NewCompanyForm(
  props: FieldsProps & { idempotencyKey: string; databases: string[] },
) {
  const { form, errors, idempotencyKey, databases } = props;
  const labels = useTexts().operatorCompanies;
  return (
    <ActionForm action={COMPANIES_PATH} idempotencyKey={idempotencyKey} submit={labels.make}>
      <CompanyFields form={form} errors={errors} />
      <Choice
        label={labels.database}
        name="database"
        value={form.database ?? ""}
        options={[
          ["", labels.anyDatabase],
          ...databases.map((name): [string, string] => [name, name]),
        ]}
        errors={errors["database"]}
      />
      <ReasonField form={form} errors={errors} />
    </ActionForm>
  );
}

/** The reason of an action, for the audit trail. */
export function ReasonField({ form, errors, id = "reason" }: FieldsProps & { id?: string }) {
  const texts = useTexts();
  const { reason, reasonHint } = texts.operatorCompanies;
  return (
    <Field
      label={reason}
      name="reason"
      id={id}
      value={form.reason ?? ""}
      hint={reasonHint}
      errors={errors["reason"]}
      required
    />
  );
}

/** A company that was made, with what is shown this once. */
export function Made({ company }: { company: MadeCompany }) {
  const labels = useTexts().operatorCompanies;
  const { key, webhookSecret } = company;
  return (
    <>
      <DoneNotice>
        <p>{key === null ? labels.madeBefore : labels.made}</p>
      </DoneNotice>
      <Facts
        of={[
          [labels.number, company.id],
          [labels.name, company.name],
          [labels.mode, labels.modes[company.mode]],
          ["X-Client-Id", <code>{company.application.clientId}</code>],
          ["X-API-Key", key === null ? null : <Secret value={key} />],
          [labels.webhookSecret, webhookSecret === null ? null : <Secret value={webhookSecret} />],
        ]}
      />
      <p>{labels.next}</p>
      <p class="actions">
        <a class="button primary" href={`${COMPANIES_PATH}/${company.id}/manage`}>
          {labels.manage}
        </a>
        <a class="button" href={`${COMPANIES_PATH}/${company.id}`}>
          {labels.health}
        </a>
      </p>
    </>
  );
}

/** A secret with a button that copies it. */
export function Secret({ value }: { value: string }) {
  const texts = useTexts();
  return (
    <>
      <code>{value}</code>{" "}
      <button type="button" data-copy={value} data-copied={texts.shell.copied}>
        {texts.shell.copy}
      </button>
    </>
  );
}
