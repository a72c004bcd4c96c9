import { LIST_STATUSES, PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import { FAILURE_CODES } from "../../../../domain/charges/failure-reason.ts";
import { PAYMENT_FILTER_NAMES } from "../../../../domain/charges/saved-view.ts";
import { fill, type Locale, type Texts, useLocale, useTexts } from "../../texts.ts";
import { Choice, Field, FilterFold } from "../../ui/parts.tsx";
import { queryOf, type Filters } from "./filters.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The filters that few people need. */
const MORE = [
  "failureCode",
  "paidFrom",
  "paidTo",
  "amountFrom",
  "amountTo",
  "externalRef",
  "endToEndId",
  "id",
] as const satisfies (keyof Filters)[];

/** The API's problems, by field. */
type Errors = Record<string, string[]>;

/** The filters as a form whose fields stand in the URL. */
export function FilterForm({ filters, errors }: { filters: Filters; errors: Errors }) {
  const texts = useTexts();
  const labels = texts.payments;
  const { status = "", paymentMethod = "", failureCode = "" } = filters;
  const typed = (name: keyof Filters, apiName: string = name) => ({
    name,
    value: filters[name] ?? "",
    errors: errors[apiName],
  });
  return (
    <FilterFold title={texts.shell.filters} isSet={Object.keys(filters).length > 0}>
      <form class="filters" action="/console/payments">
        <Choice
          label={labels.status}
          name="status"
          value={status}
          options={[["", labels.all], ...LIST_STATUSES.map(pairWith(labels.statuses))]}
        />
        <Choice
          label={labels.method}
          name="paymentMethod"
          value={paymentMethod}
          options={[["", labels.all], ...PAYMENT_METHODS.map(pairWith(labels.methods))]}
        />
        <Field label={labels.from} type="date" {...typed("from")} />
        <Field label={labels.to} type="date" {...typed("to")} />
        <details class="more-filters" open={MORE.some((name) => filters[name] !== undefined)}>
          <summary>{labels.moreFilters}</summary>
          <div>
            <Choice
              label={labels.failureCode}
              name="failureCode"
              value={failureCode}
              options={[["", labels.all], ...FAILURE_CODES.map(pairWith(texts.home.failures))]}
            />
            <Field label={labels.paidFrom} type="date" {...typed("paidFrom")} />
            <Field label={labels.paidTo} type="date" {...typed("paidTo")} />
            <Field label={labels.amountFrom} inputmode="decimal" {...typed("amountFrom")} />
            <Field label={labels.amountTo} inputmode="decimal" {...typed("amountTo")} />
            <Field label={labels.externalRef} {...typed("externalRef")} />
            <Field label={labels.endToEndId} {...typed("endToEndId")} />
            <Field label={labels.id} {...typed("id", "ids")} />
          </div>
        </details>
        <button type="submit">{texts.shell.filter}</button>
      </form>
    </FilterFold>
  );
}

/** Each filter that is set as a chip, whose link takes it back; nothing where none is. */
export function FilterChips({ filters }: { filters: Filters }) {
  const texts = useTexts();
  const locale = useLocale();
  const labels = texts.payments;
  const names = PAYMENT_FILTER_NAMES.filter((name) => filters[name] !== undefined);
  if (names.length === 0) return null;
  return (
    <nav class="chips" aria-label={labels.setFilters}>
      <ul>
        {names.map((name) => {
          const { [name]: value = "", ...others } = filters;
          const text = fill(labels.chip, {
            name: name === "paymentMethod" ? labels.method : labels[name],
            value: filterWord(name, value, texts, locale),
          });
          return (
            <li>
              <a
                class="chip"
                href={`/console/payments?${queryOf(others)}`}
                aria-label={fill(labels.takeBack, { filter: text })}
              >
                {text} ×
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The value of a filter as people read it. */
export function filterWord(
  name: string,
  value: string,
  { payments, home }: Texts,
  { date }: Locale,
): string {
  if (DAY.test(value)) return date(value);
  const words: Partial<Record<string, Record<string, string>>> = {
    status: payments.statuses,
    paymentMethod: payments.methods,
    failureCode: home.failures,
  };
  return words[name]?.[value] ?? value;
}

/** The search by a payer's document: posted, because an address is logged and kept in a browser's history. */
export function PayerForm(props: { document?: string; errors?: Errors }) {
  const { document = "", errors = {} } = props;
  const labels = useTexts().payments;
  return (
    <form class="filters" method="post" action="/console/payments">
      <Field
        label={labels.document}
        name="document"
        value={document}
        errors={errors["document"]}
        inputmode="numeric"
        autocomplete="off"
        required
      />
      <button type="submit">{labels.findPayer}</button>
    </form>
  );
}

function pairWith<Word extends string>(names: Record<Word, string>) {
  return (word: Word): [string, string] => [word, names[word]];
}
