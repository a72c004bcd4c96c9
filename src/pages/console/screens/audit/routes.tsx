import { callApi, type ApiProblem } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { Field, NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { AuditEntries, type AuditEntry } from "./entries.tsx";

const ACTIVE = "/console/audit";

/** The company's audit trail, with its hashes. */
export function auditScreen(app: ConsoleApp): void {
  app.get("/audit", requirePerson, requirePermission("settings:write"), (c) => showTrail(c));
  app.get("/audit/page.json", requirePerson, requirePermission("settings:write"), async (c) => {
    const answer = await callApi(c, "GET", apiPath(c));
    if (!answer.ok) return refused(c, answer);
    c.header("Content-Disposition", 'attachment; filename="audit.json"');
    return c.json(answer.body);
  });
}

async function showTrail(c: ConsoleContext) {
  const answer = await callApi(c, "GET", apiPath(c));
  if (!answer.ok) return refused(c, answer);
  const texts = textsOf(c);
  const words = texts.audit;
  const typed = c.req.query("q") ?? "";
  const after = c.req.query("after") ?? "";
  const rows = (answer.body.items as AuditEntry[]).filter((entry) => isNamed(entry, typed));
  return page(
    c,
    { title: words.title, active: ACTIVE },
    <>
      <form class="filters" method="get">
        {after === "" ? null : <input type="hidden" name="after" value={after} />}
        <Field label={words.filter} name="q" value={typed} hint={words.filterHint} />
        <button type="submit">{texts.shell.filter}</button>
      </form>
      <AuditEntries words={words} language={languageOf(c)} rows={rows} />
      <NextPage url={c.req.url} after={answer.body.after} text={texts.shell.next} />
      <p>
        <a
          class="button"
          href={`${ACTIVE}/page.json?after=${encodeURIComponent(after)}`}
          download="audit.json"
        >
          {words.proof}
        </a>
      </p>
      <p class="hint">{words.proofHint}</p>
    </>,
  );
}

function isNamed({ actor, action }: AuditEntry, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return [actor.name, actor.id, action].some((name) => name.toLowerCase().includes(wanted));
}

function apiPath(c: ConsoleContext): string {
  const after = c.req.query("after") ?? "";
  return `/api/v1/audit${after === "" ? "" : `?after=${encodeURIComponent(after)}`}`;
}

function refused(c: ConsoleContext, { status, body }: { status: number; body: ApiProblem }) {
  const texts = textsOf(c);
  return page(
    c,
    { title: texts.audit.title, active: ACTIVE, status: status as 403 },
    <ProblemNotice problem={body} texts={texts} />,
  );
}
