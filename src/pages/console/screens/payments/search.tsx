import { LIST_STATUSES, PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { useTexts } from "../../texts.ts";
import { Choice, Field, FilterFold } from "../../ui/parts.tsx";
import type { Filters } from "./filters.ts";

/** The API's problems, by field. */
type Errors = Record<string, string[]>;

/** The filters as a form whose fields stand in the URL. */
export function FilterForm({ filters, errors }: { filters: Filters; errors: Errors }) {
  const texts = useTexts();
  const words = texts.payments;
  const { status = "", paymentMethod = "" } = filters;
  const typed = (name: keyof Filters, apiName: string = name) => ({
    name,
    value: filters[name] ?? "",
    errors: errors[apiName],
  });
  return (
    <FilterFold title={texts.shell.filters} isSet={Object.keys(filters).length > 0}>
      <form class="filters" action="/console/payments">
        <Choice
          label={words.status}
          name="status"
          value={status}
          options={[["", words.all], ...LIST_STATUSES.map(pairWith(words.statuses))]}
        />
        <Choice
          label={words.method}
          name="paymentMethod"
          value={paymentMethod}
          options={[["", words.all], ...PAYMENT_METHODS.map(pairWith(words.methods))]}
        />
        <Field label={words.from} type="date" {...typed("from")} />
        <Field label={words.to} type="date" {...typed("to")} />
        <Field label={words.amountFrom} inputmode="decimal" {...typed("amountFrom")} />
        <Field label={words.amountTo} inputmode="decimal" {...typed("amountTo")} />
        <Field label={words.externalRef} {...typed("externalRef")} />
        <Field label={words.endToEndId} {...typed("endToEndId")} />
        <Field label={words.id} {...typed("id", "ids")} />
        <button type="submit">{texts.shell.filter}</button>
      </form>
    </FilterFold>
  );
}

/** The search by a payer's document: posted, because an address is logged and kept in a browser's history. */
export function PayerForm(props: { document?: string; errors?: Errors }) {
  const { document = "", errors = {} } = props;
  const words = useTexts().payments;
  return (
    <form class="filters" method="post" action="/console/payments">
      <Field
        label={words.document}
        name="document"
        value={document}
        errors={errors["document"]}
        inputmode="numeric"
        autocomplete="off"
        required
      />
      <button type="submit">{words.findPayer}</button>
    </form>
  );
}

function pairWith<Word extends string>(names: Record<Word, string>) {
  return (word: Word): [string, string] => [word, names[word]];
}
