import { callApi } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { requireOperatorPerson } from "../../../people/require-person.ts";
import { requireOperatorPermission } from "../../../people/require-scope.ts";
import { languageOf, textsOf, type Texts } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { Field, NextPage, ProblemNotice, Section } from "../../../ui/parts.tsx";
import { pageStatus, refusalPage } from "../../answers.tsx";
import { AuditEntries, type AuditEntry } from "../../audit/entries.tsx";

const ACTIVE = "/console/operator/audit";
const API = "/api/v1/operator/audit";
/** What a search asks for, as the address has it. */
const FILTERS = ["actor", "action", "target", "companyId"] as const;
const API_PAGE = 100;
/** Entries in one downloaded file: 50 calls of the API. */
const FILE_MAX = 5_000;

type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

/** The audit trail of the gateway, or of a company, newest first; the proof is a file to check offline. */
export function operatorAuditScreen(app: ConsoleApp): void {
  const guards = [requireOperatorPerson, requireOperatorPermission("companies:read")] as const;
  app.get("/operator/audit", ...guards, (c) => showTrail(c));
  app.get("/operator/audit/trail.json", ...guards, (c) => download(c));
}

async function showTrail(c: ConsoleContext): Promise<Response> {
  const filters = filtersOf(c);
  const after = c.req.query("after") ?? "";
  const answer = await callApi(
    c,
    "GET",
    apiPath({ ...filters, order: "newest", ...(after === "" ? {} : { after }) }),
  );
  const texts = textsOf(c);
  const words = texts.operatorAudit;
  return page(
    c,
    { title: words.title, active: ACTIVE, ...(answer.ok ? {} : { status: pageStatus(answer) }) },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} texts={texts} />}
      <FilterForm
        texts={texts}
        filters={filters}
        errors={answer.ok ? undefined : answer.body.errors}
      />
      {answer.ok ? (
        <>
          <AuditEntries
            words={{ ...texts.audit, title: words.title, empty: words.empty }}
            language={languageOf(c)}
            rows={answer.body.items as AuditEntry[]}
          />
          <NextPage url={c.req.url} after={answer.body.after} text={words.older} />
        </>
      ) : null}
      <Proof words={words} companyId={filters.companyId} />
    </>,
  );
}

function FilterForm(props: {
  texts: Texts;
  filters: Filters;
  errors: Record<string, string[]> | undefined;
}) {
  const { texts, filters, errors } = props;
  const words = texts.operatorAudit;
  return (
    <form class="filters" method="get" action={ACTIVE}>
      {FILTERS.map((name) => (
        <Field
          label={words.filters[name]}
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

function Proof(props: { words: Texts["operatorAudit"]; companyId: string | undefined }) {
  const { words, companyId } = props;
  return (
    <Section title={words.proof}>
      <p>{words.proofHint}</p>
      <form class="filters" method="get" action={`${ACTIVE}/trail.json`}>
        {companyId === undefined ? null : (
          <input type="hidden" name="companyId" value={companyId} />
        )}
        <Field label={words.from} name="after" value="0" inputmode="numeric" />
        <button type="submit">{words.download}</button>
      </form>
      <p class="hint">
        <code>npm run verify-audit -- audit.json</code>
      </p>
    </Section>
  );
}

/** The trail from its oldest entry on, as the API has it: what `verify-audit` reads. */
async function download(c: ConsoleContext): Promise<Response> {
  const { companyId } = filtersOf(c);
  const scope: Filters = companyId === undefined ? {} : { companyId };
  const items: AuditEntry[] = [];
  let after = c.req.query("after") ?? "0";
  for (let read = 0; read < FILE_MAX; read += API_PAGE) {
    const answer = await callApi(
      c,
      "GET",
      apiPath({ ...scope, order: "oldest", after, limit: String(API_PAGE) }),
    );
    if (!answer.ok) {
      const { title } = textsOf(c).operatorAudit;
      return refusalPage(c, { title, active: ACTIVE }, answer);
    }
    items.push(...(answer.body.items as AuditEntry[]));
    if (answer.body.after === null) break;
    after = answer.body.after;
  }
  c.header("Content-Disposition", 'attachment; filename="audit.json"');
  c.header("Cache-Control", "no-store");
  return c.json(items);
}

/** The filters of the address that are not empty. */
function filtersOf(c: ConsoleContext): Filters {
  return Object.fromEntries(
    FILTERS.map((name) => [name, c.req.query(name)?.trim() ?? ""]).filter(
      ([, value]) => value !== "",
    ),
  );
}

function apiPath(query: Record<string, string>): string {
  return `${API}?${new URLSearchParams(query).toString()}`;
}
