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
  const words = texts.operatorStatus;
  const head = { title: words.title, active: ACTIVE };
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
          [words.at, dateTime(status.at)],
          [words.companies, String(status.companies)],
          [words.contradictions, String(contradictions.open)],
          [words.held, money(contradictions.held)],
          [words.oldestSince, dateTime(contradictions.oldestSince)],
          [words.oldestDelivery, dateTime(status.oldestDueDelivery)],
          ...comparisonFacts(copies, words, locale),
        ]}
      />
      <FiringAlarms status={status} />
      <Answers status={status} />
      <Section title={words.byKind}>
        <List
          caption={words.byKind}
          rows={kinds}
          empty={<p>{words.noContradictions}</p>}
          columns={[
            { heading: words.kind, cell: ([kind]) => texts.contradictions.kinds[kind] },
            { heading: words.count, isNumber: true, cell: ([, count]) => count },
          ]}
        />
      </Section>
      <Section title={texts.operatorHome.frozen}>
        <FrozenList status={status} />
      </Section>
      <Section title={texts.operatorHome.failing}>
        <FailingList status={status} />
      </Section>
      <Section title={words.latePasses}>
        <PassesList passes={status.latePasses} empty={words.noLatePasses} showsCompany />
      </Section>
      <Databases status={status} />
      <Heartbeats status={status} />
    </>,
  );
}

/** How far the comparison of all copies is. */
function comparisonFacts(
  copies: GatewayStatus["copies"],
  words: Texts["operatorStatus"],
  { dateTime }: Locale,
): [string, string][] {
  return [
    [words.comparedRows, String(copies.comparedRows)],
    [words.mendedCopies, String(copies.mendedCopies)],
    [
      words.comparisonShare,
      fill(words.comparisonShareOf, {
        percent: Math.floor(copies.share * 100),
        running: copies.runningRounds,
      }),
    ],
    [words.oldestRound, dateTime(copies.oldestRoundEndedAt)],
  ];
}

/** How full each database is. */
function Databases({ status }: { status: GatewayStatus }) {
  const { language, dateTime } = useLocale();
  const words = useTexts().operatorStatus;
  return (
    <Section title={words.databases}>
      <List
        caption={words.databases}
        rows={status.databases}
        empty={<p>{words.notMeasured}</p>}
        columns={[
          { heading: words.database, cell: ({ name }) => name },
          {
            heading: words.size,
            isNumber: true,
            cell: ({ bytes }) => (bytes === null ? "–" : mebibytes(bytes, language)),
          },
          { heading: words.measuredAt, cell: ({ measuredAt }) => dateTime(measuredAt) },
        ]}
      />
    </Section>
  );
}
