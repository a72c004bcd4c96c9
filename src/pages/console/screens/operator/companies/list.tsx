import { fill, useLocale, useTexts } from "../../../texts.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Badge, Choice, Field, List } from "../../../ui/parts.tsx";
import { COMPANIES_PATH, type CompanyItem } from "./company.ts";

const STATUSES = ["open", "closed", "failing"] as const;

/** The search as a form whose fields stand in the URL. */
export function SearchForm(props: { search: string; status: string }) {
  const texts = useTexts();
  const labels = texts.operatorCompanies;
  return (
    <form class="filters" action={COMPANIES_PATH}>
      <Field label={labels.search} name="search" type="search" value={props.search} />
      <Choice
        label={labels.status}
        name="status"
        value={props.status}
        options={[
          ["", labels.all],
          ...STATUSES.map((status): [string, string] => [status, labels.statuses[status]]),
        ]}
      />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** A page of companies, by number. */
export function CompanyList({ items }: { items: CompanyItem[] }) {
  const { dateTime } = useLocale();
  const labels = useTexts().operatorCompanies;
  return (
    <List
      caption={labels.title}
      rows={items}
      empty={<Empty icon="company">{labels.none}</Empty>}
      columns={[
        { heading: labels.number, cell: ({ id }) => id },
        {
          heading: labels.name,
          cell: ({ id, name }) => <a href={`${COMPANIES_PATH}/${id}`}>{name}</a>,
        },
        { heading: labels.mode, cell: ({ mode }) => labels.modes[mode] },
        {
          heading: labels.status,
          cell: ({ closedAt }) => (
            <Badge tone={closedAt === null ? "good" : "quiet"}>
              {closedAt === null ? labels.statuses.open : labels.statuses.closed}
            </Badge>
          ),
        },
        {
          heading: labels.lastCheck,
          cell: ({ checkedAt, violations }) => (
            <>
              {violations.length > 0 ? (
                <Badge tone="bad">{fill(labels.violations, { count: violations.length })}</Badge>
              ) : null}{" "}
              {checkedAt === null ? labels.neverChecked : dateTime(checkedAt)}
            </>
          ),
        },
      ]}
    />
  );
}
