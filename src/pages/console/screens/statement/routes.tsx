import { getBalance, getStatement, verifyStatement } from "../../../../api/balance/routes.ts";
import { getStatementArchive, getStatementEntries } from "../../../../api/statement/routes.ts";
import {
  isCalendarMonth,
  monthOfDay,
  saoPauloMonth,
} from "../../../../domain/ledger/entries/month.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { isCalendarDay } from "../../../../domain/shared/calendar-day.ts";
import { CURRENCY } from "../../../../domain/shared/money.ts";
import { CSV_TYPE, OFX_TYPE, XLSX_TYPE, ZIP_TYPE } from "../../../../http/negotiation.ts";
import { callRoute, callRouteForFile } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { ifTyped } from "../../form.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import type { QueryOf } from "../../../../http/openapi/route-types.ts";
import { textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { download, formOf, may, pageStatus, refusalPage } from "../answers.tsx";
import {
  ChosenEntries,
  EntryList,
  kindOf,
  MonthDownloads,
  MonthForm,
  PeriodSums,
  type Asked,
} from "./month.tsx";
import { Downloads, PeriodForm, StatementList, type Period } from "./postings.tsx";
import { VerdictNotice, VerifyForm, type Verdict } from "./verify.tsx";
import { companyNow } from "../../people/company-head.ts";

const PATH = "/console/statement";
/** Brazil has had no daylight saving time since 2019. */
const OFFSET = "-03:00";
const FILES = {
  "statement.csv": "text/csv",
  "statement.ofx": "application/x-ofx",
  "proof.csv": "text/csv",
  "balance.json": "application/json",
} as const;
/** The files of a month, by the end of their names. */
const MONTH_FILES = { csv: CSV_TYPE, xlsx: XLSX_TYPE, ofx: OFX_TYPE } as const;
const MONTH_EXTENSIONS = Object.keys(MONTH_FILES) as (keyof typeof MONTH_FILES)[];
const FILE_NAMES = Object.keys(FILES) as (keyof typeof FILES)[];
const CURRENCY_QUERY = { currency: CURRENCY };

/** The statement by month; behind it each posting with its running balance, its proof and the check of a proof. */
export function statementScreen(app: ConsoleApp): void {
  app.get("/statement", requireMember, requirePermission("balance:read"), (c) => showMonth(c));
  app.get("/statement/postings", requireMember, requirePermission("balance:read"), (c) =>
    showPostings(c),
  );
  app.get("/statement/verify", requireMember, requirePermission("balance:read"), (c) =>
    verifyPage(c),
  );
  app.post("/statement/verify", requireMember, requirePermission("balance:read"), (c) => verify(c));
  app.get("/statement/month/:file", requireMember, requirePermission("balance:read"), (c) =>
    downloadMonth(c),
  );
  app.get("/statement/:file", requireMember, requirePermission("balance:read"), (c) =>
    downloadFile(c),
  );
}

async function showMonth(c: ConsoleContext) {
  const asked = askedOf(c);
  const { month, from, to, hour, only } = asked;
  const query = {
    ...(from === undefined && to === undefined ? { month } : { from, to }),
    hour: ifTyped(hour),
    only,
    after: c.req.query("after"),
    limit: 100,
  };
  const answer = await callRoute(c, getStatementEntries, { query });
  const isValid = isCalendarMonth(month);
  const mayArchive = may(c, "transactions:read") && may(c, "withdraws:read");
  const actions = <MonthDownloads month={isValid ? month : null} mayArchive={mayArchive} />;
  const errors = answer.ok ? undefined : answer.body.errors?.["month"];
  return page(
    c,
    { ...headOf(c), actions, status: pageStatus(answer) },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} />}
      <MonthForm month={month} isValid={isValid} errors={errors} />
      {answer.ok ? (
        <>
          <ChosenEntries asked={asked} summary={answer.body.summary} />
          <PeriodSums asked={asked} summary={answer.body.summary} />
          <EntryList entries={answer.body.items} hasMore={answer.body.hasMore} />
          <NextPage url={c.req.url} list={answer.body} />
        </>
      ) : null}
    </>,
  );
}

/** What the address asks for; a month that is not named is that of the days, else this one. */
function askedOf(c: ConsoleContext): Asked {
  const { month, from, to, hour, only } = c.req.query();
  const day = from ?? to;
  const ofDays = day === undefined || !isCalendarDay(day) ? undefined : monthOfDay(day);
  const now = saoPauloMonth(companyNow(c));
  return { month: month ?? ofDays ?? now, from, to, hour, only: kindOf(only) };
}

async function showPostings(c: ConsoleContext) {
  const period = periodOf(c);
  const answer = await callRoute(c, getStatement, {
    params: paramsOf(c),
    query: { ...CURRENCY_QUERY, ...instantsOf(period), after: c.req.query("after"), limit: 100 },
  });
  return page(
    c,
    {
      ...headOf(c),
      title: textsOf(c).statement.postings,
      actions: <Downloads period={period} />,
      status: pageStatus(answer),
    },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} />}
      <PeriodForm period={period} />
      {answer.ok ? (
        <>
          <StatementList lines={answer.body.items} />
          <NextPage url={c.req.url} list={answer.body} />
        </>
      ) : null}
    </>,
  );
}

async function downloadMonth(c: ConsoleContext) {
  const { month = "" } = c.req.query();
  const file = c.req.param("file");
  const query = { month };
  if (file === "contador.zip") {
    const answer = await callRouteForFile(c, getStatementArchive, ZIP_TYPE, { query });
    if (!answer.ok) return refusalPage(c, headOf(c), answer);
    return download(answer, { type: ZIP_TYPE, name: `contador-${month}.zip` });
  }
  const extension = MONTH_EXTENSIONS.find((each) => file === `extrato.${each}`);
  if (extension === undefined) return c.notFound();
  const type = MONTH_FILES[extension];
  const answer = await callRouteForFile(c, getStatementEntries, type, { query });
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return download(answer, { type, name: `extrato-${month}.${extension}` });
}

async function downloadFile(c: ConsoleContext) {
  const file = FILE_NAMES.find((name) => name === c.req.param("file"));
  if (file === undefined) return c.notFound();
  const answer = await fileOf(c, file);
  if (!answer.ok) return refusalPage(c, headOf(c), answer);
  return download(answer, { type: FILES[file], name: file });
}

function fileOf(c: ConsoleContext, file: keyof typeof FILES) {
  const params = paramsOf(c);
  if (file === "balance.json") {
    return callRouteForFile(c, getBalance, FILES[file], { params, query: CURRENCY_QUERY });
  }
  const what = file === "proof.csv" ? ({ accounts: "all" } as const) : instantsOf(periodOf(c));
  const query = { ...CURRENCY_QUERY, ...what };
  return callRouteForFile(c, getStatement, FILES[file], { params, query });
}

function verifyPage(
  c: ConsoleContext,
  shown: {
    verdict?: Verdict;
    status?: number;
    problem?: Parameters<typeof ProblemNotice>[0]["problem"];
  } = {},
) {
  const { verdict, status = 200, problem } = shown;
  const texts = textsOf(c);
  return page(
    c,
    { title: texts.statement.verifyTitle, active: PATH, status: pageStatus({ status }) },
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {verdict === undefined ? null : <VerdictNotice verdict={verdict} />}
      <VerifyForm />
    </>,
  );
}

async function verify(c: ConsoleContext) {
  const { file } = await c.req.parseBody();
  const { csv = "" } = await formOf(c);
  const text = file instanceof File && file.size > 0 ? await file.text() : csv;
  if (text.trim() === "") return verifyPage(c);
  const answer = await callRoute(c, verifyStatement, {
    text: { type: "text/csv", text },
  });
  if (answer.ok) return verifyPage(c, { verdict: answer.body });
  return verifyPage(c, { status: answer.status, problem: answer.body });
}

/** The asked days, by default this month until today in America/Sao_Paulo. */
function periodOf(c: ConsoleContext): Period {
  const today = saoPauloDay(companyNow(c));
  const { from = `${today.slice(0, 8)}01`, to = today } = c.req.query();
  return { from, to };
}

function instantsOf({ from, to }: Period): Pick<QueryOf<typeof getStatement>, "from" | "to"> {
  return {
    ...(from === "" ? {} : { from: `${from}T00:00:00.000${OFFSET}` }),
    ...(to === "" ? {} : { to: `${to}T23:59:59.999${OFFSET}` }),
  };
}

const paramsOf = (c: ConsoleContext) => ({ companyId: c.get("person").companyId });
const headOf = (c: ConsoleContext) => ({ title: textsOf(c).statement.title, active: PATH });
