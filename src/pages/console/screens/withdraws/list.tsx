import {
  APPROVAL_STATUSES,
  WITHDRAW_STATUSES,
} from "../../../../domain/withdraws/withdraw-status.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import { fill, useLocale, useTexts } from "../../texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { Badge, Choice, Field, FilterFold, List } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { WITHDRAWS_PATH, type Withdraw } from "./withdraw.ts";

/** The filters as a form whose fields stand in the URL. */
export function FilterForm(props: { status: string; approval: string; from: string; to: string }) {
  const texts = useTexts();
  const labels = texts.withdraws;
  const { status, approval, from, to } = props;
  return (
    <FilterFold title={texts.shell.filters} isSet={status + approval + from + to !== ""}>
      <form class="filters" action={WITHDRAWS_PATH}>
        <Choice
          label={labels.status}
          name="status"
          value={status}
          options={[
            ["", labels.all],
            ...WITHDRAW_STATUSES.map((each): [string, string] => [each, labels.statuses[each]]),
          ]}
        />
        <Choice
          label={labels.approval}
          name="approval"
          value={approval}
          options={[
            ["", labels.all],
            ...APPROVAL_STATUSES.map((each): [string, string] => [each, labels.approvals[each]]),
          ]}
        />
        <Field label={labels.from} name="from" type="date" value={from} />
        <Field label={labels.to} name="to" type="date" value={to} />
        <button type="submit">{texts.shell.filter}</button>
      </form>
    </FilterFold>
  );
}

/** A page of withdraws, newest first. */
export function WithdrawList({ items, refresh }: { items: Withdraw[]; refresh: string }) {
  const { dateTime, money } = useLocale();
  const labels = useTexts().withdraws;
  return (
    <List
      caption={labels.title}
      rows={items}
      refresh={refresh}
      empty={<Empty icon="withdraw">{labels.none}</Empty>}
      columns={[
        {
          heading: labels.number,
          place: "note",
          cell: ({ id }) => fill(labels.one, { id }),
        },
        {
          heading: labels.pixKey,
          place: "title",
          cell: ({ id, pixKey }) => <a href={`${WITHDRAWS_PATH}/${id}`}>{pixKey}</a>,
        },
        { heading: labels.createdAt, place: "about", cell: ({ createdAt }) => dateTime(createdAt) },
        {
          heading: labels.status,
          place: "state",
          cell: ({ enTransaction, approval }) => (
            <Badge tone={TONES.withdraw[enTransaction]}>
              {approval === "pending" ? labels.toApprove : labels.statuses[enTransaction]}
            </Badge>
          ),
        },
        {
          heading: labels.amount,
          place: "amount",
          isNumber: true,
          cell: ({ value }) => money(reaisToCents(value)),
        },
      ]}
    />
  );
}
