import { getRehearsal } from "../../../../api/reports/rehearsal/routes.ts";
import { CSV_TYPE } from "../../../../http/negotiation.ts";
import { callRoute, callRouteForFile } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { download, refusalPage } from "../answers.tsx";
import { PATH, RehearsedDays } from "./pages.tsx";

const mayRead = requirePermission("balance:read");

/** The cash of the next days: for certain, as expected, in the worst and the best case. */
export function rehearsalScreen(app: ConsoleApp): void {
  app.get("/rehearsal", requireMember, mayRead, async (c) => {
    const answer = await callRoute(c, getRehearsal, { query: queryOf(c) });
    if (!answer.ok) return refusalPage(c, headOf(c), answer);
    const { items } = answer.body;
    const actions = (
      <a class="button" href={`${PATH}.csv?days=${items.length}`}>
        {textsOf(c).rehearsal.csv}
      </a>
    );
    return page(c, { ...headOf(c), actions }, <RehearsedDays rehearsal={answer.body} />);
  });
  app.get("/rehearsal.csv", requireMember, mayRead, async (c) => {
    const answer = await callRouteForFile(c, getRehearsal, CSV_TYPE, { query: queryOf(c) });
    if (!answer.ok) return refusalPage(c, headOf(c), answer);
    return download(answer, { type: CSV_TYPE, name: `${textsOf(c).rehearsal.fileName}.csv` });
  });
}

const queryOf = (c: ConsoleContext) => ({ days: c.req.query("days") });
const headOf = (c: ConsoleContext) => ({ title: textsOf(c).menu.rehearsal, active: PATH });
