import { z } from "@hono/zod-openapi";
import { callCompany } from "../../company-client/stub.ts";
import { publicOrigin } from "../../config.ts";
import {
  daysOfMonth,
  monthOfDay,
  saoPauloMonth,
  timesOfDays,
  timesOfHour,
  type DayPeriod,
} from "../../domain/ledger/entries/month.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Api } from "../../http/api.ts";
import { requireFurtherScopes, requireScope } from "../../http/auth/auth.ts";
import { companyDeps, type AppContext } from "../../http/context.ts";
import { CSV_TYPE, OFX_TYPE, XLSX_TYPE, ZIP_TYPE } from "../../http/negotiation.ts";
import { jsonResponse } from "../../http/openapi/openapi.ts";
import { routesOf } from "../../http/openapi/route.ts";
import { requireDayRange } from "../../http/validation.ts";
import { streamOf } from "../balance/exports.ts";
import { OFX_EXAMPLE } from "../balance/schemas.ts";
import { VERIFY_PATH } from "../receipts/service.ts";
import { ENTRIES_CSV_HEADER } from "./columns.ts";
import {
  allEntries,
  ARCHIVE_MAX,
  entriesCsv,
  entriesOfx,
  fileMonth,
  RECEIPTS_MAX,
  STREAMED_MAX,
  XLSX_MAX,
} from "./files.ts";
import {
  EntriesQuery,
  MonthQuery,
  releaseCursor,
  Releases,
  ReleasesQuery,
  StatementEntries,
} from "./schemas.ts";
import { entryPage, releasePage } from "./service.ts";
import { entryView, releaseView } from "./views.ts";

const route = routesOf("Balance");

const entries = route.get("/api/v1/statement/entries", {
  operationId: "getStatementEntries",
  summary: "List what happened to the company's money in a month, or on some days",
  description:
    "One item for each thing that happened: a payment with its fee, a refund, a withdraw, a release. Newest first, by " +
    "cursor; a page may be short while `hasMore` is true. `balance` is what the company has: available and awaiting " +
    "release, less a debt. Payments in suspense, and the bank's word on money that an earlier item took, change none of " +
    "it and are no item; `GET /api/Balance/statement/{companyId}` lists every posting. `from` and `to` ask for days in " +
    "place of a month; `only` and `hour` choose among the items, and leave the sums as they are. `Accept: text/csv` (semicolons, " +
    `reais with a comma), \`application/x-ofx\` and \`${XLSX_TYPE}\` return the whole month as a file in Portuguese. A ` +
    `month of more than ${STREAMED_MAX} movements (${XLSX_MAX} as XLSX) has none: 406.`,
  guard: requireScope("balance:read"),
  query: EntriesQuery,
  answers: {
    200: {
      description: "The month's sums and a page of it, or the whole month as a file",
      content: {
        "application/json": { schema: StatementEntries },
        [CSV_TYPE]: { schema: z.string().openapi({ example: ENTRIES_CSV_HEADER }) },
        [OFX_TYPE]: { schema: z.string().openapi({ example: OFX_EXAMPLE }) },
        [XLSX_TYPE]: { schema: z.string().openapi({ format: "binary" }) },
      },
    },
  },
  problems: ["VALIDATION_FAILED"],
});

const archive = route.get("/api/v1/statement/archive", {
  operationId: "getStatementArchive",
  summary: "Get the accountant's month",
  description:
    "A ZIP of a month in Portuguese: the statement as CSV, OFX and XLSX, the charges, fees and withdraws as CSV, the " +
    `newest ${RECEIPTS_MAX} receipts as PDF, and the totals, which say whether they agree with the ledger. A month of ` +
    `more than ${ARCHIVE_MAX} movements has none: 406; beyond ${XLSX_MAX} the XLSX is left out.`,
  guard: [
    requireScope("balance:read"),
    requireFurtherScopes("transactions:read", "withdraws:read"),
  ],
  query: MonthQuery,
  answers: {
    200: {
      description: "The archive",
      content: { [ZIP_TYPE]: { schema: z.string().openapi({ format: "binary" }) } },
    },
  },
  problems: ["VALIDATION_FAILED"],
});

const releases = route.get("/api/v1/releases", {
  operationId: "listReleases",
  summary: "List the credits that become available on a day",
  description:
    "Parts of payments that await release on that day, earliest first, by cursor: what the forecast sums up. What has " +
    "become available is in the statement.",
  guard: requireScope("balance:read"),
  query: ReleasesQuery,
  answers: { 200: jsonResponse("A page of releases", Releases) },
  problems: ["VALIDATION_FAILED"],
});

export { archive as getStatementArchive, entries as getStatementEntries, releases as listReleases };

export function statementRoutes(app: Api): void {
  app.openapi(entries, async (c) => {
    const { after, limit, hour, only = null, ...asked } = c.req.valid("query");
    if (c.get("mediaType") !== "application/json") return monthFile(c, monthOf(c, asked));
    const caller = c.get("caller");
    const days = daysOf(c, asked);
    const times = hour === undefined ? timesOfDays(days) : timesOfHour(days.from, hour);
    const [sums, page] = await Promise.all([
      callCompany(c.env, caller.company.id, (account) => account.statementSums(days)),
      entryPage(c.env, caller, { ...times, before: after ?? null, limit, only }),
    ]);
    return c.json(
      {
        summary: { month: monthOfDay(days.from), ...days, ...sums },
        items: page.items.map(entryView),
        after: page.after === null ? null : String(page.after),
        hasMore: page.after !== null,
      },
      200,
    );
  });

  app.openapi(releases, async (c) => c.json(await releasesOfDay(c, c.req.valid("query")), 200));

  app.openapi(archive, async (c) => {
    const month = monthOf(c, c.req.valid("query"));
    const nowMs = companyDeps(c).clock.now();
    const asked = { env: c.env, caller: c.get("caller"), month, nowMs };
    const filed = await fileMonth(asked, ARCHIVE_MAX);
    const { monthArchive } = await import("./archive.ts");
    const verifyUrl = publicOrigin(c.env, c.req.url) + VERIFY_PATH;
    return c.body(
      streamOf(() => monthArchive(filed, verifyUrl)),
      200,
      {
        "Content-Type": ZIP_TYPE,
        "Content-Disposition": `attachment; filename="contador-${month}.zip"`,
      },
    ) as never;
  });
}

async function releasesOfDay(c: AppContext, query: z.output<typeof ReleasesQuery>) {
  const { day, after = null, limit } = query;
  const times = timesOfDays({ from: day, to: day });
  const page = await releasePage(c.env, c.get("caller"), { ...times, after, limit });
  const last = page.items.at(-1);
  return {
    items: page.items.map(releaseView),
    after: last === undefined || !page.hasMore ? null : releaseCursor(last),
    hasMore: page.hasMore,
  };
}

/** The month that is asked for, by default this one. */
function monthOf(c: AppContext, { month }: { month?: string | undefined }): string {
  return month ?? saoPauloMonth(companyDeps(c).clock.now());
}

/** The days that are asked for: those of `from` and `to`, else the month's. Throws 400 for too many, or for none. */
function daysOf(
  c: AppContext,
  { from, to, ...asked }: { [Name in keyof DayPeriod | "month"]?: string | undefined },
): DayPeriod {
  if (from === undefined && to === undefined) return daysOfMonth(monthOf(c, asked));
  const last = to ?? saoPauloDay(companyDeps(c).clock.now());
  return requireDayRange({ from: from ?? last, to: last });
}

/** The whole month in the media type that was asked for. */
async function monthFile(c: AppContext, month: string): Promise<Response> {
  const type = c.get("mediaType");
  const nowMs = companyDeps(c).clock.now();
  const asked = { env: c.env, caller: c.get("caller"), month, nowMs };
  const headers = (extension: string, parameters = "") => ({
    "Content-Type": type + parameters,
    "Content-Disposition": `attachment; filename="extrato-${month}.${extension}"`,
  });
  if (type === XLSX_TYPE) {
    const entriesOf = await allEntries(await fileMonth(asked, XLSX_MAX));
    const { entriesXlsx } = await import("./xlsx.ts");
    return c.body(await entriesXlsx(month, entriesOf), 200, headers("xlsx"));
  }
  const filed = await fileMonth(asked, STREAMED_MAX);
  if (type === OFX_TYPE) {
    return c.body(
      streamOf(() => entriesOfx(filed)),
      200,
      headers("ofx", "; charset=utf-8"),
    );
  }
  const csvHeaders = headers("csv", "; charset=utf-8; header=present");
  return c.body(
    streamOf(() => entriesCsv(filed)),
    200,
    csvHeaders,
  );
}
