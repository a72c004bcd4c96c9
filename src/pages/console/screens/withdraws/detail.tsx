import { reaisToCents } from "../../../../domain/shared/money.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { ActorFact } from "../../ui/actor-name.tsx";
import { Badge, Facts } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import type { Withdraw } from "./withdraw.ts";

/** All that is known of a withdraw. */
export function WithdrawFacts({ withdraw }: { withdraw: Withdraw }) {
  const { money, dateTime } = useLocale();
  const { withdraws: labels, payment } = useTexts();
  const { enTransaction: status } = withdraw;
  const shown = (reais: number) => money(reaisToCents(reais));
  return (
    <>
      <p>
        <Badge tone={TONES.withdraw[status]}>{labels.statuses[status]}</Badge>{" "}
        {labels.means[status]}
      </p>
      {withdraw.failureReason === null ? null : (
        <p class="notice bad">{payment.failure[withdraw.failureReason.code]}</p>
      )}
      <Facts
        of={[
          [labels.amount, shown(withdraw.value)],
          [labels.fee, shown(withdraw.fee)],
          [labels.returned, withdraw.returnedValue === 0 ? null : shown(withdraw.returnedValue)],
          [labels.receiver, withdraw.pixKey],
          [labels.description, withdraw.description],
          [labels.endToEndId, withdraw.endToEndId],
          [labels.requestedBy, nameOf(withdraw.requestedBy)],
          [labels.approval, labels.approvals[withdraw.approval]],
          [labels.decidedBy, nameOf(withdraw.decidedBy)],
          [labels.reason, withdraw.decisionReason],
          [labels.createdAt, dateTime(withdraw.createdAt)],
          [labels.paidAt, withdraw.paidAt === null ? null : dateTime(withdraw.paidAt)],
        ]}
      />
    </>
  );
}

/** Nothing where nobody asked or decided. */
function nameOf(requester: Withdraw["requestedBy"]) {
  return requester === null ? null : <ActorFact actor={requester} />;
}
