import type { Reminders } from "../../../../domain/reminders/reminder.ts";
import { useTexts } from "../../texts.ts";
import { ActionForm, Check, Field } from "../../ui/parts.tsx";
import type { Form } from "../answers.tsx";
import { wholeOf, type Unreadable } from "./fields.ts";
import { SETTINGS_PATH, type FieldErrors } from "./policy.tsx";

/** The form's fields, by the part of the setting that each has. */
const FIELDS = ["daysBefore", "daysAfter", "from", "to"] as const;

/** The reminders as their form shows them: days with commas between. */
export function remindersForm({ email, daysBefore, daysAfter, quietHours }: Reminders): Form {
  return {
    ...(email ? { remind: "on" } : {}),
    daysBefore: daysBefore.join(", "),
    daysAfter: daysAfter.join(", "),
    from: String(quietHours.from),
    to: String(quietHours.to),
  };
}

/** The posted reminders as the API's change of settings. */
export function remindersOf(form: Form): { reminders: Reminders } | Unreadable {
  const daysBefore = daysOf(form.daysBefore);
  const daysAfter = daysOf(form.daysAfter);
  const from = wholeOf(form.from) ?? undefined;
  const to = wholeOf(form.to) ?? undefined;
  if (daysBefore && daysAfter && from !== undefined && to !== undefined) {
    const email = form.remind === "on";
    return { reminders: { email, daysBefore, daysAfter, quietHours: { from, to } } };
  }
  const read = { daysBefore, daysAfter, from, to };
  return { unreadable: FIELDS.filter((name) => read[name] === undefined) };
}

/** Typed days; undefined for another text. */
function daysOf(typed = ""): number[] | undefined {
  const words = typed.split(/[\s,;]+/).filter((word) => word !== "");
  const days = words.map((word) => wholeOf(word));
  return days.every((day) => typeof day === "number") ? days : undefined;
}

/** When the company reminds its payers by e-mail. */
export function RemindersForm(props: { form: Form; errors: FieldErrors; idempotencyKey: string }) {
  const { form, errors, idempotencyKey } = props;
  const labels = useTexts().settings.reminders;
  return (
    <ActionForm
      action={`${SETTINGS_PATH}/reminders`}
      idempotencyKey={idempotencyKey}
      submit={labels.save}
    >
      <p>{labels.about}</p>
      <Check name="remind" label={labels.email} isOn={form.remind === "on"} />
      {FIELDS.map((name) => (
        <Field
          label={labels[name]}
          name={name}
          value={form[name] ?? ""}
          hint={labels[`${name}Hint`]}
          errors={errors[`reminders.${name}`] ?? errors[name]}
        />
      ))}
    </ActionForm>
  );
}
