import type { changeCompanySettings } from "../../../../api/settings/routes.ts";
import type { Brand } from "../../../../domain/shared/company.ts";
import type { JsonOf } from "../../../../http/openapi/route-types.ts";
import { useTexts } from "../../texts.ts";
import { ActionForm, Field } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { SETTINGS_PATH, type FieldErrors } from "./policy.tsx";

/** The brand's parts, in the form's order. */
const PARTS = ["name", "color", "logoUrl"] as const;

/** The brand as its form shows it. */
export function brandForm(brand: Brand): Form {
  return Object.fromEntries(PARTS.map((part) => [`brand.${part}`, brand[part] ?? ""]));
}

/** The posted brand as the API's change of settings; an empty field is none. */
export function brandOf(form: Form): JsonOf<typeof changeCompanySettings> {
  const typed = PARTS.map((part) => [part, form[`brand.${part}`]?.trim() || null]);
  return { brand: Object.fromEntries(typed) as Brand };
}

/** How payers see the company on its checkout. */
export function BrandForm(props: { form: Form; errors: FieldErrors; idempotencyKey: string }) {
  const { form, errors, idempotencyKey } = props;
  const labels = useTexts().settings.brand;
  return (
    <ActionForm
      action={`${SETTINGS_PATH}/brand`}
      idempotencyKey={idempotencyKey}
      submit={labels.save}
    >
      <p>{labels.about}</p>
      {PARTS.map((part) => (
        <Field
          label={labels[part]}
          name={`brand.${part}`}
          value={form[`brand.${part}`] ?? ""}
          hint={labels[`${part}Hint`]}
          errors={errors[`brand.${part}`]}
        />
      ))}
    </ActionForm>
  );
}
