import { listReleases } from "../../../../api/statement/routes.ts";
import { saoPauloDay } from "../../../../domain/shared/business-day.ts";
import { isCalendarDay } from "../../../../domain/shared/calendar-day.ts";
import { callRoute } from "../../api.ts";
import type { ConsoleContext } from "../../context.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, localeOf, textsOf, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { page } from "../../ui/layout.tsx";
import { List, NextPage } from "../../ui/parts.tsx";
import { refusalPage } from "../answers.tsx";
import { entriesPath } from "../home/opened.ts";
import { companyNow } from "../../people/company-head.ts";

type Release = RouteBody<typeof listReleases>["items"][number];

/** What becomes available on a day (`YYYY-MM-DD`), each with its payment; of a day that has begun also what has. */
export async function showDay(c: ConsoleContext, day: string) {
  if (!isCalendarDay(day)) return c.notFound();
  const labels = textsOf(c).forecast;
  const head = {
    title: fill(labels.dayTitle, { day: localeOf(c).date(day, "medium") }),
    active: "/console/calendar",
  };
  const answer = await callRoute(c, listReleases, {
    query: { day, after: c.req.query("after"), limit: 100 },
  });
  if (!answer.ok) return refusalPage(c, head, answer);
  const hasBegun = day <= saoPauloDay(companyNow(c));
  return page(
    c,
    head,
    <>
      {hasBegun ? (
        <p>
          <a href={entriesPath({ from: day, to: day })}>{labels.released}</a>
        </p>
      ) : null}
      <ReleaseList releases={answer.body.items} />
      <NextPage url={c.req.url} list={answer.body} />
    </>,
  );
}

function ReleaseList({ releases }: { releases: Release[] }) {
  const { money, time } = useLocale();
  const { forecast: labels, payments } = useTexts();
  return (
    <List
      caption={labels.calendar}
      rows={releases}
      empty={<Empty icon="calendar">{labels.noneOnDay}</Empty>}
      columns={[
        {
          heading: payments.payer,
          place: "title",
          cell: ({ transactionId, counterpart }) => (
            <a href={`/console/payments/${transactionId}`}>{counterpart ?? payments.noPayer}</a>
          ),
        },
        {
          heading: payments.externalRef,
          place: "note",
          cell: ({ externalRef }) => externalRef,
        },
        {
          heading: payments.method,
          place: "about",
          cell: ({ paymentMethod }) =>
            paymentMethod === null ? "–" : payments.methods[paymentMethod],
        },
        {
          heading: labels.part,
          place: "state",
          cell: ({ installment }) =>
            installment === 1 ? "" : fill(labels.partNumber, { number: installment }),
        },
        { heading: labels.time, place: "time", cell: ({ releasesAt }) => time(releasesAt) },
        {
          heading: labels.amount,
          isNumber: true,
          place: "amount",
          cell: ({ amount }) => money(amount),
        },
      ]}
    />
  );
}
