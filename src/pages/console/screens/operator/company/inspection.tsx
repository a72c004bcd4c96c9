import type { inspectCompany } from "../../../../../api/operator/inspection/routes.ts";
import type { RouteBody } from "../../../../../http/openapi/route-types.ts";
import { useTexts } from "../../../texts.ts";
import { Field, List, Section } from "../../../ui/parts.tsx";

type Rows = Record<string, Record<string, unknown>[]>;

/** The rows of D1 and of the company's object. */
type Inspection = RouteBody<typeof inspectCompany>;

/** The search for what to inspect: a transaction's UUID, a withdraw's number, or nothing for the company. */
export function InspectForm(props: { id: string; action: string }) {
  const labels = useTexts().operatorCompanies;
  return (
    <form class="filters" action={props.action}>
      <Field label={labels.inspectId} name="of" value={props.id} hint={labels.inspectHint} />
      <button type="submit">{labels.inspect}</button>
    </form>
  );
}

/** The rows by table, and each field in which D1 differs from the object. */
export function InspectedRows({ found }: { found: Inspection }) {
  const labels = useTexts().operatorCompanies;
  return (
    <>
      <Section title={labels.differences}>
        <List
          caption={labels.differences}
          rows={found.differences}
          empty={<p>{labels.noDifferences}</p>}
          columns={[
            { heading: labels.field, cell: ({ field }) => field },
            { heading: labels.inDatabase, cell: ({ here }) => shown(here) },
            { heading: labels.inObject, cell: ({ there }) => shown(there) },
          ]}
        />
      </Section>
      <Tables title={labels.database} rows={found.database} />
      <Tables title={labels.object} rows={found.object} />
    </>
  );
}

function Tables({ title, rows }: { title: string; rows: Rows }) {
  const tables = Object.entries(rows).filter(([, each]) => each.length > 0);
  return (
    <Section title={title}>
      {tables.map(([name, each]) => (
        <details>
          <summary>
            {name} ({each.length})
          </summary>
          <pre tabindex={0}>{JSON.stringify(each, null, 2)}</pre>
        </details>
      ))}
    </Section>
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
