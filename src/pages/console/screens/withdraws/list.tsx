import {
  APPROVAL_STATUSES,
  WITHDRAW_STATUSES,
} from "../../../../domain/withdraws/withdraw-status.ts";
import { dateTime, money } from "../../format.ts";
import type { Language, Texts } from "../../texts.ts";
import { Badge, Choice, Field, FilterFold, List } from "../../ui/parts.tsx";
import { centsOfReais, TONES, WITHDRAWS_PATH, type Withdraw } from "./withdraw.ts";

interface Words {
  texts: Texts;
  language: Language;
}

/** The filters as a form whose fields stand in the URL. */
export function FilterForm(
  props: Words & { status: string; approval: string; from: string; to: string },
) {
  const words = props.texts.withdraws;
  const { status, approval, from, to } = props;
  return (
    <FilterFold title={props.texts.shell.filters} isSet={status + approval + from + to !== ""}>
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
        <button type="submit">{props.texts.shell.filter}</button>
      </form>
    </FilterFold>
  );
}

/** A page of withdraws, newest first. */
export function WithdrawList(props: Words & { items: Withdraw[]; refresh: string }) {
  const { items, refresh, texts, language } = props;
  const words = texts.withdraws;
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
        { heading: words.createdAt, cell: ({ createdAt }) => dateTime(createdAt, language) },
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
          cell: ({ value }) => money(centsOfReais(value), language),
        },
      ]}
    />
  );
}
