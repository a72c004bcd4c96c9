import { getGatewayStatus } from "../../../../../api/operator/status/routes.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import {
  fill,
  type Locale,
  localeOf,
  type Texts,
  textsOf,
  useLocale,
  useTexts,
} from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { Facts, List, Section } from "../../../ui/parts.tsx";
import { refusalPage } from "../../answers.tsx";
import { PassesList } from "../company/health.tsx";
import { operatorGuards } from "../guards.ts";
import { Answers } from "./answers.tsx";
import { FailingList, FrozenList, PauseNotice } from "./lists.tsx";
import { FiringAlarms, Heartbeats } from "./watch.tsx";
import { mebibytes, type GatewayStatus } from "./view.ts";

const ACTIVE = "/console/operator/status";

/** The gateway's status, readable. */
export function statusScreen(app: ConsoleApp): void {
  operatorGuards(app).show("/operator/status", "companies:read", showStatus);
}

async function showStatus(c: ConsoleContext) {
  const texts = textsOf(c);
  const labels = texts.operatorStatus;
  const head = { title: labels.title, active: ACTIVE };
  const answer = await callRoute(c, getGatewayStatus);
  if (!answer.ok) return refusalPage(c, head, answer);
  const status = answer.body;
  const locale = localeOf(c);
  const { dateTime, money } = locale;
  const { contradictions, copies } = status;
  const kinds = Object.entries(contradictions.byKind) as [
    keyof typeof contradictions.byKind,
    number,
  ][];
  return page(
    c,
    head,
    <>
      <PauseNotice status={status} />
      <Facts
        of={[
          [labels.at, dateTime(status.at)],
          [labels.companies, String(status.companies)],
          [labels.contradictions, String(contradictions.open)],
          [labels.held, money(contradictions.held)],
          [labels.oldestSince, dateTime(contradictions.oldestSince)],
          [labels.oldestDelivery, dateTime(status.oldestDueDelivery)],
          ...comparisonFacts(copies, labels, locale),
        ]}
      />
      <FiringAlarms status={status} />
      <Answers status={status} />
      <Section title={labels.byKind}>
        <List
          caption={labels.byKind}
          rows={kinds}
          empty={<p>{labels.noContradictions}</p>}
          columns={[
            { heading: labels.kind, cell: ([kind]) => texts.contradictions.kinds[kind] },
            { heading: labels.count, isNumber: true, cell: ([, count]) => count },
          ]}
        />
      </Section>
      <Section title={texts.operatorHome.frozen}>
        <FrozenList status={status} />
      </Section>
      <Section title={texts.operatorHome.failing}>
        <FailingList status={status} />
      </Section>
      <Section title={labels.latePasses}>
        <PassesList passes={status.latePasses} empty={labels.noLatePasses} showsCompany />
      </Section>
      <Databases status={status} />
      <Heartbeats status={status} />
    </>,
  );
}

/** How far the comparison of all copies is. */
function comparisonFacts(
  copies: GatewayStatus["copies"],
  labels: Texts["operatorStatus"],
  { dateTime }: Locale,
): [string, string][] {
  return [
    [labels.comparedRows, String(copies.comparedRows)],
    [labels.mendedCopies, String(copies.mendedCopies)],
    [
      labels.comparisonShare,
      fill(labels.comparisonShareOf, {
        percent: Math.floor(copies.share * 100),
        running: copies.runningRounds,
      }),
    ],
    [labels.oldestRound, dateTime(copies.oldestRoundEndedAt)],
  ];
}

/** How full each database is. */
function Databases({ status }: { status: GatewayStatus }) {
  const { language, dateTime } = useLocale();
  const labels = useTexts().operatorStatus;
  return (
    <Section title={labels.databases}>
      <List
        caption={labels.databases}
        rows={status.databases}
        empty={<p>{labels.notMeasured}</p>}
        columns={[
          { heading: labels.database, cell: ({ name }) => name },
          {
            heading: labels.size,
            isNumber: true,
            cell: ({ bytes }) => (bytes === null ? "–" : mebibytes(bytes, language)),
          },
          { heading: labels.measuredAt, cell: ({ measuredAt }) => dateTime(measuredAt) },
        ]}
      />
    </Section>
  );
}
