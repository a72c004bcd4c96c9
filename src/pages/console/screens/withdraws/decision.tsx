import type { getWithdrawApproval } from "../../../../api/withdraws/approvals/routes.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { ActorName } from "../../ui/actor-name.tsx";
import { Facts, Field, Section } from "../../ui/parts.tsx";
import { WITHDRAWS_PATH, type Withdraw } from "./withdraw.ts";

/** What an approver should know. Centavos. */
export type ApprovalFacts = RouteBody<typeof getWithdrawApproval>["data"];

/** The decision of a second person, with what it rests on. The one who asked sees only that another must decide. */
export function Decision(props: {
  withdraw: Withdraw;
  facts: ApprovalFacts;
  isOwn: boolean;
  idempotencyKey: string;
  /** The reason of a decision that was not made. */
  reason: string;
}) {
  const { dateTime } = useLocale();
  const { withdraw, facts, isOwn } = props;
  const labels = useTexts().withdraws;
  return (
    <Section title={labels.toApprove}>
      <p>
        {labels.waitsUntil} {dateTime(withdraw.approvalExpiresAt)}.
      </p>
      <WhatIsKnown withdraw={withdraw} facts={facts} />
      {isOwn ? <p>{labels.anotherDecides}</p> : <DecisionForm {...props} />}
    </Section>
  );
}

function WhatIsKnown({ withdraw, facts }: { withdraw: Withdraw; facts: ApprovalFacts }) {
  const { money } = useLocale();
  const labels = useTexts().withdraws;
  const { receiver, rule, limit, balanceBefore, balanceAfter } = facts;
  const why = labels.rules[rule];
  return (
    <Facts
      of={[
        [labels.whoAsks, <Asker withdraw={withdraw} facts={facts} />],
        [labels.whyWaits, fill(why, { limit: limit === null ? "" : money(limit) })],
        [labels.receiver, withdraw.pixKey],
        [labels.receiverName, receiver.name ?? labels.bankSilent],
        [labels.receiverDocument, receiver.document ?? labels.bankSilent],
        [labels.earlier, <Earlier earlier={facts.earlier} />],
        [labels.balanceBefore, money(balanceBefore)],
        [labels.balanceAfter, money(balanceAfter)],
      ]}
    />
  );
}

function Asker({ withdraw, facts }: { withdraw: Withdraw; facts: ApprovalFacts }) {
  const { dateTime } = useLocale();
  const { withdraws: labels, roles } = useTexts();
  const { role, since } = facts.requester;
  return (
    <>
      {withdraw.requestedBy === null ? labels.nobodyKnown : null}
      {withdraw.requestedBy === null ? null : <ActorName actor={withdraw.requestedBy} />}
      {role === null ? null : `, ${roles[role]}`}
      <br />
      {since === null ? labels.rightOld : fill(labels.rightSince, { when: dateTime(since) })}
    </>
  );
}

function Earlier({ earlier: { count, hasMore, lastAt } }: Pick<ApprovalFacts, "earlier">) {
  const { dateTime } = useLocale();
  const labels = useTexts().withdraws;
  if (lastAt === null) return hasMore ? labels.rarely : <strong>{labels.firstTime}</strong>;
  const text = hasMore ? labels.atLeastBefore : labels.before;
  return fill(text, { count: String(count), when: dateTime(lastAt) });
}

function DecisionForm(props: { withdraw: Withdraw; idempotencyKey: string; reason: string }) {
  const { money } = useLocale();
  const { withdraw, idempotencyKey, reason } = props;
  const labels = useTexts().withdraws;
  const path = `${WITHDRAWS_PATH}/${withdraw.id}`;
  return (
    <form class="action" method="post" action={`${path}/approve`} data-once="">
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <Field label={labels.decisionReason} name="reason" value={reason} />
      <div class="decide">
        <button type="submit" class="primary">
          {`${labels.approve} ${money(reaisToCents(withdraw.value))}`}
        </button>
        <button type="submit" class="danger" formaction={`${path}/refuse`}>
          {labels.refuse}
        </button>
      </div>
    </form>
  );
}
