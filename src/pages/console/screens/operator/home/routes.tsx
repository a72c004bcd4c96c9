import { listProposals } from "../../../../../api/operator/proposals/routes.ts";
import { getGatewayStatus } from "../../../../../api/operator/status/routes.ts";
import { callRoute } from "../../../api.ts";
import type { ConsoleApp, ConsoleContext } from "../../../context.ts";
import { requireOperatorPerson } from "../../../people/require-member.ts";
import { fill, textsOf } from "../../../texts.ts";
import { page } from "../../../ui/layout.tsx";
import { Section } from "../../../ui/parts.tsx";
import { refusalPage } from "../../answers.tsx";
import { ProposalList } from "../proposals/list.tsx";
import { PROPOSALS_PATH } from "../proposals/proposal.ts";
import { Payments, Psps } from "../status/answers.tsx";
import { FailingList, FrozenList, PauseNotice } from "../status/lists.tsx";
import { Alarms, AtRisk } from "./alarms.tsx";
import { Contradicted, Kept, VolumeList, Waiting } from "./figures.tsx";

const HOME = "/console/operator";

/** The first page of an operator: what needs somebody, with its money; then how the service is. */
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
  const waiting = proposals.ok ? proposals.body.items : [];
  return page(
    c,
    { title: labels.title, active: HOME },
    <>
      <PauseNotice status={status} />
      <AtRisk status={status} />
      <Alarms status={status} />
      {status.failing.length === 0 ? null : (
        <Section title={labels.failing}>
          <FailingList status={status} />
        </Section>
      )}
      {status.frozen.length === 0 ? null : (
        <Section title={labels.frozen}>
          <FrozenList status={status} />
        </Section>
      )}
      <Contradicted status={status} />
      <Section title={texts.proposals.waiting}>
        {waiting.length === 0 ? <p>{texts.proposals.none}</p> : <ProposalList items={waiting} />}
        <p>
          <a href={PROPOSALS_PATH}>{texts.proposals.all}</a>
        </p>
      </Section>
      <Kept status={status} />
      <Payments status={status} />
      <Psps status={status} />
      <Waiting status={status} />
      <VolumeList status={status} />
      <p class="hint">{fill(labels.signedInAs, { name, role: texts.operatorRoles[role] })}</p>
    </>,
  );
}
