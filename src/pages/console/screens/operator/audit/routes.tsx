import { listOperatorAuditEntries } from "../../../../../api/audit/routes.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { ifTyped } from "../../../form.ts";
import { requireOperatorPerson } from "../../../people/require-member.ts";
import { requireOperatorPermission } from "../../../people/require-scope.ts";
import type { QueryOf } from "../../../../../http/openapi/route-types.ts";
import { textsOf, useTexts } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { Field, NextPage, ProblemNotice } from "../../../ui/parts.tsx";
import { pageStatus } from "../../answers.tsx";
import { AuditEntries } from "../../audit/entries.tsx";
import { Proof, trailFile } from "../../audit/proof.tsx";

const ACTIVE = "/console/operator/audit";
/** What a search asks for, as the address has it. */
const FILTERS = ["actor", "action", "target", "companyId"] as const satisfies (keyof QueryOf<
  typeof listOperatorAuditEntries
>)[];

type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

/** The audit trail of the gateway, or of a company, newest first; the proof is a file to check offline. */
export function operatorAuditScreen(app: ConsoleApp): void {
  const guards = [requireOperatorPerson, requireOperatorPermission("companies:read")] as const;
  app.get("/operator/audit", ...guards, (c) => showTrail(c));
  app.get("/operator/audit/trail.json", ...guards, (c) =>
    trailFile(c, ACTIVE, (part) =>
      callRoute(c, listOperatorAuditEntries, { query: { ...scopeOf(c), ...part } }),
    ),
  );
}

async function showTrail(c: ConsoleContext): Promise<Response> {
  const filters = filtersOf(c);
  const after = ifTyped(c.req.query("after"));
  const answer = await callRoute(c, listOperatorAuditEntries, {
    query: { ...filters, order: "newest", after },
  });
  const texts = textsOf(c);
  const labels = texts.operatorAudit;
  return page(
    c,
    { title: labels.title, active: ACTIVE, ...(answer.ok ? {} : { status: pageStatus(answer) }) },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} />}
      <FilterForm filters={filters} errors={answer.ok ? undefined : answer.body.errors} />
      {answer.ok ? (
        <>
          <AuditEntries empty={labels.empty} rows={answer.body.items} />
          <NextPage url={c.req.url} list={answer.body} text={texts.audit.older} />
        </>
      ) : null}
      <Proof path={`${ACTIVE}/trail.json`} scope={scopeOf(c)} />
    </>,
  );
}

function FilterForm(props: { filters: Filters; errors: Record<string, string[]> | undefined }) {
  const texts = useTexts();
  const { filters, errors } = props;
  const labels = texts.operatorAudit;
  return (
    <form class="filters" method="get" action={ACTIVE}>
      {FILTERS.map((name) => (
        <Field
          label={labels.filters[name]}
          name={name}
          value={filters[name] ?? ""}
          errors={errors?.[name]}
          inputmode={name === "companyId" ? "numeric" : "text"}
        />
      ))}
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** Whose trail it is. */
function scopeOf(c: ConsoleContext): { companyId?: string } {
  const { companyId } = filtersOf(c);
  return companyId === undefined ? {} : { companyId };
}

/** The filters of the address that are not empty. */
function filtersOf(c: ConsoleContext): Filters {
  return Object.fromEntries(
    FILTERS.map((name) => [name, c.req.query(name)?.trim() ?? ""]).filter(
      ([, value]) => value !== "",
    ),
  );
}
