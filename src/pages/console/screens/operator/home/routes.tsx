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
  const words = texts.operatorHome;
  const { name, role } = c.get("operator")!;
  const [answer, proposals] = await Promise.all([
    callRoute(c, getGatewayStatus),
    callRoute(c, listProposals, { query: { status: "pending" } }),
  ]);
  if (!answer.ok) return refusalPage(c, { title: words.title, active: HOME }, answer);
  const status = answer.body;
  return page(
    c,
    { title: words.title, active: HOME },
    <>
      <p>{fill(words.signedInAs, { name, role: texts.operatorRoles[role] })}</p>
      <PauseNotice status={status} />
      <Cards status={status} />
      <Section title={texts.proposals.waiting}>
        <ProposalList items={proposals.ok ? proposals.body.items : []} />
        <p>
          <a href={PROPOSALS_PATH}>{texts.proposals.all}</a>
        </p>
      </Section>
      <Section title={words.frozen}>
        <FrozenList status={status} />
      </Section>
      <Section title={words.failing}>
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
  const words = useTexts().operatorHome;
  const { contradictions, at } = status;
  const payouts = PAYOUT_KINDS.reduce((sum, kind) => sum + (contradictions.byKind[kind] ?? 0), 0);
  const since = (time: string | null) =>
    time === null ? words.nothing : fill(words.oldest, { time: waited(time, at, language) });
  const cards: [title: string, amount: number | string, note: string, path: string][] = [
    [
      words.contradictions,
      contradictions.open,
      since(contradictions.oldestSince),
      `${HOME}/contradictions`,
    ],
    [words.payouts, payouts, words.payoutsNote, `${HOME}/contradictions`],
    [words.failing, status.failing.length, words.failingNote, `${HOME}/companies?status=failing`],
    [words.frozen, status.frozen.length, words.frozenNote, `${HOME}/companies`],
    [words.latePasses, status.latePasses.length, words.latePassesNote, `${HOME}/status`],
    [
      words.backlog,
      status.oldestDueDelivery === null ? "–" : waited(status.oldestDueDelivery, at, language),
      words.backlogNote,
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
