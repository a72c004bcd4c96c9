import type { listAuditEntries } from "../../../../api/audit/routes.ts";
import type { QueryOf } from "../../../../http/openapi/route-types.ts";
import { useTexts } from "../../texts.ts";
import { Field, FilterFold } from "../../ui/parts.tsx";

/** The filters of the trail, by their names in the URL and in the API. */
export const AUDIT_FILTERS = [
  "actor",
  "action",
  "target",
  "from",
  "to",
] as const satisfies (keyof QueryOf<typeof listAuditEntries>)[];

export type AuditFilters = Partial<Record<(typeof AUDIT_FILTERS)[number], string>>;

/** The filters as a form whose fields stand in the URL. */
export function FilterForm(props: { filters: AuditFilters; errors: Record<string, string[]> }) {
  const texts = useTexts();
  const { filters, errors } = props;
  const labels = texts.audit;
  const typed = (name: keyof AuditFilters) => ({
    label: labels[name],
    name,
    value: filters[name] ?? "",
    errors: errors[name],
  });
  return (
    <FilterFold title={texts.shell.filters} isSet={Object.keys(filters).length > 0}>
      <form class="filters" action="/console/audit">
        <Field {...typed("actor")} hint={labels.actorHint} />
        <Field {...typed("action")} hint={labels.actionHint} />
        <Field {...typed("target")} hint={labels.targetHint} />
        <Field {...typed("from")} type="date" />
        <Field {...typed("to")} type="date" />
        <button type="submit">{texts.shell.filter}</button>
      </form>
    </FilterFold>
  );
}
