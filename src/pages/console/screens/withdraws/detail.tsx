import { reaisToCents } from "../../../../domain/shared/money.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { ActionForm, Badge, Facts, Field, Section } from "../../ui/parts.tsx";
import { TONES, WITHDRAWS_PATH, type Withdraw } from "./withdraw.ts";

/** All that is known of a withdraw. */
export function WithdrawFacts({ withdraw }: { withdraw: Withdraw }) {
  const { money, dateTime } = useLocale();
  const words = useTexts().withdraws;
  const { enTransaction: status } = withdraw;
  const shown = (reais: number) => money(reaisToCents(reais));
  return (
    <>
      <p>
        <Badge tone={TONES[status]}>{words.statuses[status]}</Badge> {words.means[status]}
      </p>
      {withdraw.failureReason === null ? null : (
        <p class="notice bad">
          {withdraw.failureReason.message} ({withdraw.failureReason.code})
        </p>
      )}
      <Facts
        of={[
          [words.amount, shown(withdraw.value)],
          [words.fee, shown(withdraw.fee)],
          [words.returned, withdraw.returnedValue === 0 ? null : shown(withdraw.returnedValue)],
          [words.receiver, withdraw.pixKey],
          [words.description, withdraw.description],
          [words.endToEndId, withdraw.endToEndId],
          [words.requestedBy, nameOf(withdraw.requestedBy)],
          [words.approval, words.approvals[withdraw.approval]],
          [words.decidedBy, nameOf(withdraw.decidedBy)],
          [words.reason, withdraw.decisionReason],
          [words.createdAt, dateTime(withdraw.createdAt)],
          [words.paidAt, withdraw.paidAt === null ? null : dateTime(withdraw.paidAt)],
        ]}
      />
    </>
  );
}

/** A name with the id that belongs to it; only the id where no name was stored. */
function nameOf(requester: Withdraw["requestedBy"]): string | null {
  if (requester === null) return null;
  return requester.name === "" ? requester.id : `${requester.name} (${requester.id})`;
}

/** The decision of a second person. The one who asked sees only that another must decide. */
export function Decision(props: {
  withdraw: Withdraw;
  isOwn: boolean;
  keys: { approve: string; refuse: string };
}) {
  const { dateTime, money } = useLocale();
  const { withdraw, isOwn, keys } = props;
  const words = useTexts().withdraws;
  return (
    <Section title={words.toApprove}>
      <p>
        {words.waitsUntil} {dateTime(withdraw.approvalExpiresAt)}.
      </p>
      {isOwn ? (
        <p>{words.anotherDecides}</p>
      ) : (
        <>
          <ActionForm
            action={`${WITHDRAWS_PATH}/${withdraw.id}/approve`}
            idempotencyKey={keys.approve}
            submit={`${words.approve} ${money(reaisToCents(withdraw.value))}`}
          />
          <ActionForm
            action={`${WITHDRAWS_PATH}/${withdraw.id}/refuse`}
            idempotencyKey={keys.refuse}
            submit={words.refuse}
            isDangerous
          >
            <Field label={words.reason} name="reason" />
          </ActionForm>
        </>
      )}
    </Section>
  );
}
