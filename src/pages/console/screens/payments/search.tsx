import { LIST_STATUSES, PAYMENT_METHODS } from "../../../../domain/charges/charge-status.ts";
import type { Texts } from "../../texts.ts";
import { Choice, Field } from "../../ui/parts.tsx";
import type { Filters } from "./filters.ts";

/** The filters as a form whose fields stand in the URL. */
export function FilterForm({ filters, texts }: { filters: Filters; texts: Texts }) {
  const words = texts.payments;
  const { status = "", paymentMethod = "" } = filters;
  return (
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
      <Field label={words.from} name="from" type="date" value={filters.from ?? ""} />
      <Field label={words.to} name="to" type="date" value={filters.to ?? ""} />
      <Field
        label={words.amountFrom}
        name="amountFrom"
        inputmode="decimal"
        value={filters.amountFrom ?? ""}
      />
      <Field
        label={words.amountTo}
        name="amountTo"
        inputmode="decimal"
        value={filters.amountTo ?? ""}
      />
      <Field label={words.externalRef} name="externalRef" value={filters.externalRef ?? ""} />
      <Field label={words.endToEndId} name="endToEndId" value={filters.endToEndId ?? ""} />
      <button type="submit">{texts.shell.filter}</button>
    </form>
  );
}

/** The search by a payer's document: posted, because an address is logged and kept in a browser's history. */
export function PayerForm({ texts }: { texts: Texts }) {
  const words = texts.payments;
  return (
    <form class="filters" method="post" action="/console/payments">
      <Field label={words.document} name="document" inputmode="numeric" required />
      <button type="submit">{words.findPayer}</button>
    </form>
  );
}

function pairWith<Word extends string>(names: Record<Word, string>) {
  return (word: Word): [string, string] => [word, names[word]];
}
