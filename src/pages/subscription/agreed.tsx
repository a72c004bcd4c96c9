import { fill } from "../shared/language.ts";
import { useLocale, useTexts, type Texts } from "../checkout/texts.ts";
import { Facts } from "../checkout/ui/parts.tsx";
import type { PayerSubscription } from "./view.ts";

/** What is agreed, in plain words: who, how much, how often, from when, until when, what if it fails, how to cancel. */
export function Agreed({ of }: { of: PayerSubscription }) {
  const { date, money } = useLocale();
  const texts = useTexts().subscription;
  const { labels } = texts;
  const { terms, payee, amount } = of;
  const paidFirst = terms.journey === "QR_AND_PAY" ? (terms.firstPayment ?? amount) : null;
  const firstLabel =
    terms.journey === "QR" || terms.journey === "REQUEST" ? labels.first : labels.firstPaid;
  return (
    <>
      <h2>{texts.agreed}</h2>
      <Facts
        of={[
          [labels.payee, payee.name],
          [labels.registered, of.registeredName],
          [
            of.isApprovalPaid ? labels.paid : labels.firstPayment,
            paidFirst === null ? null : money(paidFirst),
          ],
          [labels.amount, amountInWords(of, texts, money)],
          [labels.period, periodInWords(terms, texts, date)],
          [firstLabel, terms.journey === "QR_AND_PAY" ? null : date(terms.firstDueDate, "medium")],
          [labels.end, terms.endDate === null ? texts.noEnd : date(terms.endDate, "medium")],
        ]}
      />
      {terms.amount.kind === "variable" ? <p class="quiet">{texts.limit}</p> : null}
      <h2>{texts.ifFails}</h2>
      <p>{failureInWords(of, texts)}</p>
      <h2>{texts.howToCancel}</h2>
      <p>
        {texts.cancelBank} {texts.cancelHere}
      </p>
    </>
  );
}

function amountInWords(
  { terms, amount }: PayerSubscription,
  texts: Texts["subscription"],
  money: (cents: number) => string,
): string {
  return terms.amount.kind === "fixed"
    ? fill(texts.fixed, { amount: money(amount) })
    : fill(texts.variable, { amount: money(terms.amount.minimum) });
}

/** How often, with the day where it is always the same. */
function periodInWords(
  { period, firstDueDate }: PayerSubscription["terms"],
  texts: Texts["subscription"],
  date: (day: string, style: "medium") => string,
): string {
  const text = texts.periods[period];
  return fill(text, { day: Number(firstDueDate.slice(8)), date: date(firstDueDate, "medium") });
}

function failureInWords({ terms, payee }: PayerSubscription, texts: Texts["subscription"]): string {
  const { retry } = terms;
  if (retry.length === 0) return fill(texts.noRetries, { payee: payee.name });
  const last = retry.at(-1) ?? 0;
  const early = retry.slice(0, -1).join(", ");
  const all = early === "" ? String(last) : `${early}${texts.and}${last}`;
  const { one, many } = texts.retryDays;
  const days = fill(retry.length === 1 && last === 1 ? one : many, { days: all });
  return fill(texts.retries, { days, payee: payee.name });
}
