import {
  APPROVAL_STATUSES,
  WITHDRAW_STATUSES,
} from "../../../../domain/withdraws/withdraw-status.ts";
import { reaisToCents } from "../../../../domain/shared/money.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { Badge, Choice, Field, FilterFold, List } from "../../ui/parts.tsx";
import { TONES, WITHDRAWS_PATH, type Withdraw } from "./withdraw.ts";

/** The filters as a form whose fields stand in the URL. */
export function FilterForm(props: { status: string; approval: string; from: string; to: string }) {
  const texts = useTexts();
  const words = texts.withdraws;
  const { status, approval, from, to } = props;
  return (
    <FilterFold title={texts.shell.filters} isSet={status + approval + from + to !== ""}>
      <form class="filters" action={WITHDRAWS_PATH}>
        <Choice
          label={words.status}
          name="status"
          value={status}
          options={[
            ["", words.all],
            ...WITHDRAW_STATUSES.map((each): [string, string] => [each, words.statuses[each]]),
          ]}
        />
        <Choice
          label={words.approval}
          name="approval"
          value={approval}
          options={[
            ["", words.all],
            ...APPROVAL_STATUSES.map((each): [string, string] => [each, words.approvals[each]]),
          ]}
        />
        <Field label={words.from} name="from" type="date" value={from} />
        <Field label={words.to} name="to" type="date" value={to} />
        <button type="submit">{texts.shell.filter}</button>
      </form>
    </FilterFold>
  );
}

/** A page of withdraws, newest first. */
export function WithdrawList({ items, refresh }: { items: Withdraw[]; refresh: string }) {
  const { dateTime, money } = useLocale();
  const words = useTexts().withdraws;
  return (
    <List
      caption={words.title}
      rows={items}
      refresh={refresh}
      empty={<p>{words.none}</p>}
      columns={[
        {
          heading: words.number,
          cell: ({ id }) => <a href={`${WITHDRAWS_PATH}/${id}`}>{id}</a>,
        },
        { heading: words.createdAt, cell: ({ createdAt }) => dateTime(createdAt) },
        { heading: words.pixKey, cell: ({ pixKey }) => pixKey },
        {
          heading: words.status,
          cell: ({ enTransaction, approval }) => (
            <Badge tone={TONES[enTransaction]}>
              {approval === "pending" ? words.toApprove : words.statuses[enTransaction]}
            </Badge>
          ),
        },
        {
          heading: words.amount,
          isNumber: true,
          cell: ({ value }) => money(reaisToCents(value)),
        },
      ]}
    />
  );
}
