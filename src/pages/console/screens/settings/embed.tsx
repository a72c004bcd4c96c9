import { useTexts } from "../../texts.ts";
import { ActionForm, Field } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { SETTINGS_PATH, type FieldErrors } from "./policy.tsx";

/** Lines that show at once. */
const ROWS = 4;

/** The origins as their form shows them, one on each line. */
export function embedForm(origins: string[]): Form {
  return { embedOrigins: origins.join("\n") };
}

/** The posted origins as the API's change of settings; empty lines are none. */
export function embedOf(form: Form): { embedOrigins: string[] } {
  const lines = (form.embedOrigins ?? "").split("\n").map((line) => line.trim());
  return { embedOrigins: lines.filter((line) => line !== "") };
}

/** On whose pages the company's checkout may stand in a frame. */
export function EmbedForm(props: { form: Form; errors: FieldErrors; idempotencyKey: string }) {
  const { form, errors, idempotencyKey } = props;
  const labels = useTexts().settings.embed;
  return (
    <ActionForm
      action={`${SETTINGS_PATH}/embed`}
      idempotencyKey={idempotencyKey}
      submit={labels.save}
    >
      <p>{labels.about}</p>
      <Field
        label={labels.origins}
        name="embedOrigins"
        rows={ROWS}
        value={form.embedOrigins ?? ""}
        hint={labels.hint}
        errors={errors.embedOrigins}
      />
    </ActionForm>
  );
}
