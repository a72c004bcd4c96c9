import type { listAuditEntries } from "../../../../api/audit/routes.ts";
import type { ConsoleContext } from "../../context.ts";
import type { RouteAnswer } from "../../../../http/openapi/route-types.ts";
import { textsOf, useTexts } from "../../texts.ts";
import { Field, Section } from "../../ui/parts.tsx";
import { refusalPage } from "../answers.tsx";
import type { AuditEntry } from "./target.tsx";

const API_PAGE = 100;
/** Entries in one downloaded file: 50 calls of the API. */
const FILE_MAX = 5_000;

/** The download of a trail, to check offline. `path`: of the file; `scope`: what its address has besides. */
export function Proof({ path, scope }: { path: string; scope: Record<string, string> }) {
  const labels = useTexts().audit;
  return (
    <Section title={labels.proof}>
      <p>{labels.proofHint}</p>
      <form class="filters" method="get" action={path}>
        {Object.entries(scope).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <Field label={labels.afterNumber} name="after" value="0" inputmode="numeric" />
        <button type="submit">{labels.download}</button>
      </form>
      <p class="hint">
        <code>npm run verify-audit -- audit.json</code>
      </p>
    </Section>
  );
}

/** A trail from an entry on, oldest first, as the API has it: what `verify-audit` reads. */
export async function trailFile(
  c: ConsoleContext,
  active: string,
  readPage: (page: {
    after: string;
    limit: number;
  }) => Promise<RouteAnswer<typeof listAuditEntries>>,
): Promise<Response> {
  const items: AuditEntry[] = [];
  let after = c.req.query("after") ?? "0";
  for (let read = 0; read < FILE_MAX; read += API_PAGE) {
    const answer = await readPage({ after, limit: API_PAGE });
    if (!answer.ok) return refusalPage(c, { title: textsOf(c).audit.title, active }, answer);
    items.push(...answer.body.items);
    if (answer.body.after === null) break;
    after = answer.body.after;
  }
  c.header("Content-Disposition", 'attachment; filename="audit.json"');
  c.header("Cache-Control", "no-store");
  return c.json(items);
}
