import { fill } from "../shared/language.ts";
import type { PayerCharge } from "./charge.ts";
import { tabOf, topOf } from "./frame.ts";
import type { PayerState } from "./state.ts";
import { refusalText, useLocale, useTexts } from "./texts.ts";
import { AnotherWay, WaysOn } from "./another-way.tsx";
import { Bought, Facts, StatusMark, type Look } from "./ui/parts.tsx";

const LOOKS: Record<PayerState, Look> = {
  preparing: "wait",
  processing: "wait",
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

/** A charge that is not to be paid now: what happened, the amounts, the way on. */
export function StatusPart({ charge }: { charge: PayerCharge }) {
  const texts = useTexts();
  const { name } = charge.payee;
  const { title, text } = texts.states[charge.state];
  const base = `/checkout/${charge.secureId}`;
  return (
    <>
      <StatusMark look={LOOKS[charge.state]} />
      <div data-news>
        <h1>{title}</h1>
        <p>{fill(text, { payee: name })}</p>
        {charge.refusal === null ? null : <p>{refusalText(charge.refusal, texts)}</p>}
      </div>
      <Bought charge={charge} />
      <Amounts charge={charge} />
      {charge.isPaid ? (
        <a
          class={charge.hasReturn ? "button" : "button primary"}
          href={`/r/${charge.secureId}`}
          {...tabOf(charge.frame)}
        >
          {texts.shell.receipt}
        </a>
      ) : null}
      {charge.state === "refused" ? (
        <WaysOn charge={charge} />
      ) : (
        <AnotherWay charge={charge} text={texts.shell.again} />
      )}
      {charge.hasReturn ? (
        <a
          class={charge.isPaid || charge.anotherWay === null ? "button primary" : "button"}
          href={`${base}/return`}
          rel="noreferrer"
          {...topOf(charge.frame)}
        >
          {fill(texts.shell.back, { payee: name })}
        </a>
      ) : null}
      {charge.state === "refused" && !charge.hasReturn ? (
        <p>{fill(texts.shell.talk, { payee: name })}</p>
      ) : null}
    </>
  );
}

function Amounts({ charge }: { charge: PayerCharge }) {
  const { money, dateTime } = useLocale();
  const { labels } = useTexts();
  const { amount, paidAmount, refundedAmount, owed, card, isPaid } = charge;
  const missing = owed === null ? 0 : owed - paidAmount;
  return (
    <Facts
      of={[
        [labels.bankName, charge.registeredName],
        [labels.amount, isPaid ? null : money(amount)],
        [labels.paid, isPaid ? money(paidAmount) : null],
        [labels.paidAt, isPaid ? dateTime(charge.polled.paidAt, "medium") : null],
        [labels.missing, missing > 0 ? money(missing) : null],
        [labels.refunded, refundedAmount > 0 ? money(refundedAmount) : null],
        [labels.card, card === null ? null : `${card.brand} •••• ${card.lastDigits}`],
      ]}
    />
  );
}
