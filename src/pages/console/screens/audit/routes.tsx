import { listAuditEntries } from "../../../../api/audit/routes.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { ifTyped } from "../../form.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { dayRange } from "../../format.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { pageStatus } from "../answers.tsx";
import { AuditEntries } from "./entries.tsx";
import { Proof, trailFile } from "./proof.tsx";
import { AUDIT_FILTERS, FilterForm, type AuditFilters } from "./filters.tsx";

const ACTIVE = "/console/audit";

/** The company's audit trail, newest first; the proof is a file to check offline. */
export function auditScreen(app: ConsoleApp): void {
  app.get("/audit", requireMember, requirePermission("settings:write"), (c) => showTrail(c));
  app.get("/audit/trail.json", requireMember, requirePermission("settings:write"), (c) =>
    trailFile(c, ACTIVE, (query) => callRoute(c, listAuditEntries, { query })),
  );
}

async function showTrail(c: ConsoleContext) {
  const texts = textsOf(c);
  const labels = texts.audit;
  const filters = filtersOf(c);
  const isSet = Object.keys(filters).length > 0;
  const answer = await callRoute(c, listAuditEntries, {
    query: {
      ...filters,
      ...dayRange(filters),
      after: ifTyped(c.req.query("after")),
      order: "newest",
    },
  });
  const problem = answer.ok ? null : answer.body;
  const after = answer.ok ? answer.body.after : null;
  return page(
    c,
    { title: labels.title, active: ACTIVE, status: pageStatus(answer) },
    <>
      {problem === null ? null : <ProblemNotice problem={problem} />}
      <FilterForm filters={filters} errors={problem?.errors ?? {}} />
      {answer.ok ? (
        <AuditEntries
          rows={answer.body.items}
          isOwn
          empty={after !== null ? labels.noneHere : isSet ? labels.noneFound : labels.empty}
        />
      ) : null}
      <NextPage url={c.req.url} list={{ after }} text={labels.older} />
      <Proof path={`${ACTIVE}/trail.json`} scope={{}} />
    </>,
  );
}

/** The filters of the URL; empty ones are left out. */
function filtersOf(c: ConsoleContext): AuditFilters {
  const typed = AUDIT_FILTERS.map((name) => [name, (c.req.query(name) ?? "").trim()] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== ""));
}
