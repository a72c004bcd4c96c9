import { listProposals } from "../../../../../api/operator/proposals/routes.ts";
import { getGatewayStatus } from "../../../../../api/operator/status/routes.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { requireOperatorPerson } from "../../../people/require-member.ts";
import { fill, textsOf, useLocale, useTexts } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { Section } from "../../../ui/parts.tsx";
import { refusalPage } from "../../answers.tsx";
import { ProposalList } from "../proposals/list.tsx";
import { PROPOSALS_PATH } from "../proposals/proposal.ts";
import { FailingList, FrozenList, PauseNotice } from "../status/lists.tsx";
import { PAYOUT_KINDS, waited, type GatewayStatus } from "../status/view.ts";

const HOME = "/console/operator";

/** The first page of an operator: what needs somebody. */
export function operatorHomeScreen(app: ConsoleApp): void {
  app.get("/operator", requireOperatorPerson, (c) => showHome(c));
}

async function showHome(c: ConsoleContext) {
  const texts = textsOf(c);
  const labels = texts.operatorHome;
  const { name, role } = c.get("operator")!;
  const [answer, proposals] = await Promise.all([
    callRoute(c, getGatewayStatus),
    callRoute(c, listProposals, { query: { status: "pending" } }),
  ]);
  if (!answer.ok) return refusalPage(c, { title: labels.title, active: HOME }, answer);
  const status = answer.body;
  return page(
    c,
    { title: labels.title, active: HOME },
    <>
      <p>{fill(labels.signedInAs, { name, role: texts.operatorRoles[role] })}</p>
      <PauseNotice status={status} />
      <Cards status={status} />
      <Section title={texts.proposals.waiting}>
        <ProposalList items={proposals.ok ? proposals.body.items : []} />
        <p>
          <a href={PROPOSALS_PATH}>{texts.proposals.all}</a>
        </p>
      </Section>
      <Section title={labels.frozen}>
        <FrozenList status={status} />
      </Section>
      <Section title={labels.failing}>
        <FailingList status={status} />
      </Section>
    </>,
  );
}

interface CardProps {
  status: GatewayStatus;
}

/** What waits for somebody, each with how many, since when, and the way there. */
function Cards({ status }: CardProps) {
  const { language } = useLocale();
  const labels = useTexts().operatorHome;
  const { contradictions, at } = status;
  const payouts = PAYOUT_KINDS.reduce((sum, kind) => sum + (contradictions.byKind[kind] ?? 0), 0);
  const since = (time: string | null) =>
    time === null ? labels.nothing : fill(labels.oldest, { time: waited(time, at, language) });
  const cards: [title: string, amount: number | string, note: string, path: string][] = [
    [
      labels.contradictions,
      contradictions.open,
      since(contradictions.oldestSince),
      `${HOME}/contradictions`,
    ],
    [labels.payouts, payouts, labels.payoutsNote, `${HOME}/contradictions`],
    [labels.failing, status.failing.length, labels.failingNote, `${HOME}/companies?status=failing`],
    [labels.frozen, status.frozen.length, labels.frozenNote, `${HOME}/companies`],
    [labels.latePasses, status.latePasses.length, labels.latePassesNote, `${HOME}/status`],
    [
      labels.backlog,
      status.oldestDueDelivery === null ? "–" : waited(status.oldestDueDelivery, at, language),
      labels.backlogNote,
      `${HOME}/status`,
    ],
  ];
  return (
    <div class="cards">
      {cards.map(([title, amount, note, path]) => (
        <div class="card">
          <h2>
            <a href={path}>{title}</a>
          </h2>
          <p class="amount">{amount}</p>
          <p class="hint">{note}</p>
        </div>
      ))}
    </div>
  );
}
