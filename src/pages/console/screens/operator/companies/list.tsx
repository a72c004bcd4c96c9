import { fill, useLocale, useTexts } from "../../../texts.ts";
import { Badge, Choice, Field, List } from "../../../ui/parts.tsx";
import { COMPANIES_PATH, type CompanyItem } from "./company.ts";

const STATUSES = ["open", "closed", "failing"] as const;

/** The search as a form whose fields stand in the URL. */
export function SearchForm(props: { search: string; status: string }) {
  const texts = useTexts();
  const words = texts.operatorCompanies;
  return (
    <form class="filters" action={COMPANIES_PATH}>
      <Field label={words.search} name="search" type="search" value={props.search} />
      <Choice
        label={words.status}
        name="status"
        value={props.status}
        options={[
          ["", words.all],
          ...STATUSES.map((status): [string, string] => [status, words.statuses[status]]),
        ]}
      />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** A page of companies, by number. */
export function CompanyList({ items }: { items: CompanyItem[] }) {
  const { dateTime } = useLocale();
  const words = useTexts().operatorCompanies;
  return (
    <List
      caption={words.title}
      rows={items}
      empty={<p>{words.none}</p>}
      columns={[
        { heading: words.number, cell: ({ id }) => id },
        {
          heading: words.name,
          cell: ({ id, name }) => <a href={`${COMPANIES_PATH}/${id}`}>{name}</a>,
        },
        { heading: words.mode, cell: ({ mode }) => words.modes[mode] },
        {
          heading: words.status,
          cell: ({ closedAt }) => (
            <Badge tone={closedAt === null ? "good" : "quiet"}>
              {closedAt === null ? words.statuses.open : words.statuses.closed}
            </Badge>
          ),
        },
        {
          heading: words.lastCheck,
          cell: ({ checkedAt, violations }) => (
            <>
              {violations.length > 0 ? (
                <Badge tone="bad">{fill(words.violations, { count: violations.length })}</Badge>
              ) : null}{" "}
              {checkedAt === null ? words.neverChecked : dateTime(checkedAt)}
            </>
          ),
        },
      ]}
    />
  );
}
