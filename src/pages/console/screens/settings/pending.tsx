import { fill, type Texts, useLocale, useTexts } from "../../texts.ts";
import { List } from "../../ui/parts.tsx";
import type { Waiting } from "./fields.ts";
import { SETTINGS_PATH } from "./policy.tsx";

/** What was loosened, beside what holds until then. Whoever may change settings refuses it here. */
export function PendingSettings(props: { pending: Waiting[]; mayRefuse: boolean }) {
  const { dateTime } = useLocale();
  const texts = useTexts();
  const { pending, mayRefuse } = props;
  const labels = texts.settings.pending;
  if (pending.length === 0) return null;
  const refuse = {
    heading: labels.refuse,
    cell: ({ field }: Waiting) => (
      <form method="post" action={`${SETTINGS_PATH}/pending/${field}/refuse`}>
        <button type="submit">{labels.refuse}</button>
      </form>
    ),
  };
  return (
    <>
      <p class="notice open">{labels.about}</p>
      <List
        caption={labels.title}
        rows={pending}
        empty={null}
        columns={[
          { heading: labels.setting, cell: ({ field }) => nameOf(field, texts) },
          { heading: labels.from, cell: ({ field, from }) => <Value field={field} value={from} /> },
          { heading: labels.to, cell: ({ field, to }) => <Value field={field} value={to} /> },
          { heading: labels.at, cell: ({ effectiveAt }) => dateTime(effectiveAt) },
          ...(mayRefuse ? [refuse] : []),
        ]}
      />
    </>
  );
}

function nameOf(field: string, { settings, roles }: Texts): string {
  const names: Record<string, string> = settings.pending.fields;
  const role = /^roleLimits\.(\w+)\./.exec(field)?.[1];
  if (role === undefined) return names[field] ?? field;
  const known: Record<string, string> = roles;
  return fill(settings.pending.roleLimit, { role: known[role] ?? role });
}

function Value({ field, value }: { field: string; value: unknown }) {
  const { money } = useLocale();
  const { policy } = useTexts().settings;
  if (typeof value === "boolean") return <>{value ? policy.on : policy.off}</>;
  if (typeof value !== "number") return <>{policy.none}</>;
  return <>{field.endsWith("coolDownHours") ? value : money(value)}</>;
}
