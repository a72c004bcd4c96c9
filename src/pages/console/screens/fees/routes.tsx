import { getFeeReport, listFeeDifferences } from "../../../../api/reports/fees/routes.ts";
import { CSV_TYPE } from "../../../../http/negotiation.ts";
import { callRoute, callRouteForFile } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { ifTyped } from "../../form.ts";
import { companyModeOf } from "../../people/company-head.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { download, pageStatus, refusalPage } from "../answers.tsx";
import { Differences, FeeDays, PATH, Period } from "./pages.tsx";

const mayRead = requirePermission("balance:read");

/** The fees that banks took beside the agreed ones, and the payments that differ. */
export function feesScreen(app: ConsoleApp): void {
  app.get("/fees", requireMember, mayRead, (c) => showFees(c));
  app.get("/fees.csv", requireMember, mayRead, async (c) => {
    const answer = await callRouteForFile(c, getFeeReport, CSV_TYPE, { query: periodOf(c) });
    if (!answer.ok) return refusalPage(c, headOf(c), answer);
    return download(answer, { type: CSV_TYPE, name: `${textsOf(c).fees.fileName}.csv` });
  });
}

async function showFees(c: ConsoleContext) {
  const texts = textsOf(c);
  const query = periodOf(c);
  const [fees, differences] = await Promise.all([
    callRoute(c, getFeeReport, { query }),
    callRoute(c, listFeeDifferences, { query: { ...query, after: ifTyped(c.req.query("after")) } }),
  ]);
  const problem = fees.ok ? (differences.ok ? null : differences) : fees;
  if (problem !== null) {
    const status = pageStatus(problem);
    return page(
      c,
      { ...headOf(c), status },
      <>
        <ProblemNotice problem={problem.body} />
        <Period of={query} errors={problem.body.errors ?? {}} />
      </>,
    );
  }
  if (!fees.ok || !differences.ok) return c.notFound();
  const asked = new URL(c.req.url).search;
  const actions = (
    <a class="button" href={`${PATH}.csv${asked}`}>
      {texts.fees.csv}
    </a>
  );
  return page(
    c,
    { ...headOf(c), actions },
    <>
      <Period of={query} errors={{}} />
      <FeeDays report={fees.body} mode={companyModeOf(c)} />
      <Differences items={differences.body.items} accounts={fees.body.accounts} />
      <NextPage url={c.req.url} list={differences.body} />
    </>,
  );
}

const periodOf = (c: ConsoleContext) => ({
  from: ifTyped(c.req.query("from")),
  to: ifTyped(c.req.query("to")),
});
const headOf = (c: ConsoleContext) => ({ title: textsOf(c).menu.fees, active: PATH });
