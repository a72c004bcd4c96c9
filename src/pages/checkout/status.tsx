import { dateTime, money } from "../shared/format.ts";
import { fill } from "../shared/language.ts";
import type { PayerCharge } from "./charge.ts";
import type { PayerState } from "./state.ts";
import type { Words } from "./texts.ts";
import { Facts } from "./ui/parts.tsx";

type Look = "good" | "bad" | "wait";

const LOOKS: Record<PayerState, Look> = {
  preparing: "wait",
  open: "wait",
  authorized: "good",
  paid: "good",
  paidLate: "wait",
  underpaid: "wait",
  partlyRefunded: "wait",
  refunded: "wait",
  analysis: "wait",
  expired: "bad",
  cancelled: "bad",
  refused: "bad",
  failed: "bad",
};
const MARKS: Record<Look, string> = { good: "✓", bad: "✕", wait: "!" };

/** A charge that is not to be paid now: what happened, the amounts, the way on. */
export function StatusPart(props: { charge: PayerCharge; words: Words }) {
  const { charge, words } = props;
  const { texts } = words;
  const { name } = charge.payee;
  const { title, text } = texts.states[charge.state];
  const look = LOOKS[charge.state];
  const base = `/checkout/${charge.secureId}`;
  return (
    <>
      <p class={`mark ${look}`} aria-hidden="true">
        {MARKS[look]}
      </p>
      <div data-news>
        <h1>{title}</h1>
        <p>{fill(text, { payee: name })}</p>
      </div>
      <Amounts charge={charge} words={words} />
      {charge.isPaid ? (
        <a class="button" href={`${base}/receipt.pdf`}>
          {texts.shell.receipt}
        </a>
      ) : null}
      {charge.hasReturn ? (
        <a class="button primary" href={`${base}/return`} rel="noreferrer">
          {fill(texts.shell.back, { payee: name })}
        </a>
      ) : null}
    </>
  );
}

function Amounts(props: { charge: PayerCharge; words: Words }) {
  const { charge, words } = props;
  const { language, texts } = words;
  const { labels } = texts;
  const { amount, paidAmount, refundedAmount, owed, card, isPaid } = charge;
  const missing = owed === null ? 0 : owed - paidAmount;
  return (
    <Facts
      of={[
        [labels.payee, charge.payee.name],
        [labels.amount, isPaid ? null : money(amount, language)],
        [labels.paid, isPaid ? money(paidAmount, language) : null],
        [labels.paidAt, isPaid ? dateTime(charge.polled.paidAt, language) : null],
        [labels.missing, missing > 0 ? money(missing, language) : null],
        [labels.refunded, refundedAmount > 0 ? money(refundedAmount, language) : null],
        [labels.card, card === null ? null : `${card.brand} •••• ${card.lastDigits}`],
      ]}
    />
  );
}
