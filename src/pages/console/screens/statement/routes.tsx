import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { callApi, fetchApi } from "../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { requirePerson } from "../../people/require-person.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { languageOf, textsOf } from "../../texts.ts";
import { page } from "../../ui/layout.tsx";
import { NextPage, ProblemNotice } from "../../ui/parts.tsx";
import { formOf, pageStatus, refusalPage } from "../answers.tsx";
import { Downloads, PeriodForm, StatementList, type Period } from "./pages.tsx";
import { VerdictNotice, VerifyForm, type Verdict } from "./verify.tsx";

const PATH = "/console/statement";
/** Brazil has had no daylight saving time since 2019. */
const OFFSET = "-03:00";
const FILES = {
  "statement.csv": "text/csv",
  "statement.ofx": "application/x-ofx",
  "proof.csv": "text/csv",
  "balance.json": "application/json",
} as const;
const FILE_NAMES = Object.keys(FILES) as (keyof typeof FILES)[];

/** The statement: each posting with its running balance, its files, its proof and the check of a proof. */
export function statementScreen(app: ConsoleApp): void {
  app.get("/statement", requirePerson, requirePermission("balance:read"), (c) => showStatement(c));
  app.get("/statement/verify", requirePerson, requirePermission("balance:read"), (c) =>
    verifyPage(c),
  );
  app.post("/statement/verify", requirePerson, requirePermission("balance:read"), (c) => verify(c));
  app.get("/statement/:file", requirePerson, requirePermission("balance:read"), (c) => download(c));
}

async function showStatement(c: ConsoleContext) {
  const words = { texts: textsOf(c), language: languageOf(c) };
  const period = periodOf(c);
  const query = periodQuery(period);
  const after = c.req.query("after");
  if (after !== undefined) query.set("after", after);
  query.set("limit", "100");
  const answer = await callApi(c, "GET", apiPath(c, query));
  return page(
    c,
    {
      ...headOf(c),
      actions: <Downloads period={period} texts={words.texts} />,
      status: pageStatus(answer),
    },
    <>
      {answer.ok ? null : <ProblemNotice problem={answer.body} texts={words.texts} />}
      <PeriodForm period={period} texts={words.texts} />
      {answer.ok ? (
        <>
          <StatementList {...words} lines={answer.body.items} />
          <NextPage
            url={c.req.url}
            after={answer.body.hasMore ? answer.body.after : null}
            text={words.texts.shell.next}
          />
        </>
      ) : null}
    </>,
  );
}

async function download(c: ConsoleContext) {
  const file = FILE_NAMES.find((name) => name === c.req.param("file"));
  if (file === undefined) return c.notFound();
  const path =
    file === "balance.json"
      ? `/api/Balance/balance/${companyOf(c)}?currency=BRL`
      : file === "proof.csv"
        ? apiPath(c, new URLSearchParams({ accounts: "all" }))
        : apiPath(c, periodQuery(periodOf(c)));
  const answer = await fetchApi(c, "GET", path, { accept: FILES[file] });
  if (!answer.ok) {
    const { status, ok, headers } = answer;
    return refusalPage(c, headOf(c), { status, ok, headers, body: await answer.json() });
  }
  return c.body(answer.body as ReadableStream, 200, {
    "Content-Type": FILES[file],
    "Content-Disposition": `attachment; filename="${file}"`,
  });
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
      {problem === undefined ? null : <ProblemNotice problem={problem} texts={texts} />}
      {verdict === undefined ? null : (
        <VerdictNotice verdict={verdict} texts={texts} language={languageOf(c)} />
      )}
      <VerifyForm texts={texts} />
    </>,
  );
}

async function verify(c: ConsoleContext) {
  const { file } = await c.req.parseBody();
  const { csv = "" } = await formOf(c);
  const text = file instanceof File && file.size > 0 ? await file.text() : csv;
  if (text.trim() === "") return verifyPage(c);
  const answer = await callApi(c, "POST", "/api/v1/statement/verify", {
    text: { type: "text/csv", text },
  });
  if (answer.ok) return verifyPage(c, { verdict: answer.body });
  return verifyPage(c, { status: answer.status, problem: answer.body });
}

/** The asked days, by default this month until today in America/Sao_Paulo. */
function periodOf(c: ConsoleContext): Period {
  const today = saoPauloDay(c.env.outer.get("deps").clock.now());
  const { from = `${today.slice(0, 8)}01`, to = today } = c.req.query();
  return { from, to };
}

function periodQuery({ from, to }: Period): URLSearchParams {
  const query = new URLSearchParams();
  if (from !== "") query.set("from", `${from}T00:00:00.000${OFFSET}`);
  if (to !== "") query.set("to", `${to}T23:59:59.999${OFFSET}`);
  return query;
}

function apiPath(c: ConsoleContext, query: URLSearchParams): string {
  query.set("currency", "BRL");
  return `/api/Balance/statement/${companyOf(c)}?${query.toString()}`;
}

const companyOf = (c: ConsoleContext) => c.get("person").companyId;
const headOf = (c: ConsoleContext) => ({ title: textsOf(c).statement.title, active: PATH });
