import { needsCard } from "../../api/payment-links/pay.ts";
import type { LinkTerms } from "../../domain/links/payment-link.ts";
import { releaseSchedule } from "../../domain/ledger/release.ts";
import type { Words } from "../checkout/texts.ts";
import { money } from "../shared/format.ts";
import { fill } from "../shared/language.ts";
import type { Typed } from "./form.ts";

/** What the page knows of the payer's card. */
export interface CardState {
  /** Under which the page's script makes the card's token. */
  session: string;
  /** The card whose token the form holds; null before there is one. */
  chosen: { brand: string; lastDigits: string } | null;
}

interface CardProps {
  terms: LinkTerms;
  card: CardState;
  typed: Typed;
  isWrong: boolean;
  words: Words;
}

/** The card's inputs have no name, so that no form ever sends what is typed in them. */
const INPUTS = {
  number: { autocomplete: "cc-number", inputmode: "numeric", maxlength: 30 },
  holderName: { autocomplete: "cc-name" },
  expiry: { autocomplete: "cc-exp", inputmode: "numeric", maxlength: 7, placeholder: "MM/AA" },
  cvv: { autocomplete: "cc-csc", inputmode: "numeric", maxlength: 4 },
} as const;

/**
 * The fields of a card. Hidden until the script shows them: it sends them straight to `POST /api/v1/cards/tokens`
 * under the session, and the form sends only the token that came back.
 */
export function CardPart(props: CardProps) {
  const { terms, card, typed, isWrong, words } = props;
  const texts = words.texts.link.card;
  const { chosen } = card;
  return (
    <>
      <fieldset
        hidden
        data-card={terms.paymentMethods.filter(needsCard).join(" ")}
        data-session={card.session}
        data-busy={texts.busy}
        data-offline={texts.offline}
        data-ended={texts.ended}
        data-pay={texts.pay}
      >
        <legend>{texts.legend}</legend>
        <div role="alert" class="wrong" data-card-alert>
          {isWrong ? texts.missing : null}
        </div>
        <input type="hidden" name="cardToken" value={chosen === null ? "" : typed.cardToken} />
        {chosen === null ? null : (
          <div class="chosen" data-card-chosen>
            <p>{fill(texts.chosen, { ...chosen })}</p>
            <button type="button">{texts.other}</button>
          </div>
        )}
        <div class="fields" data-card-fields hidden={chosen !== null}>
          <CardField name="number" words={words} />
          <CardField name="holderName" words={words} />
          <div class="pair">
            <CardField name="expiry" words={words} />
            <CardField name="cvv" words={words} />
          </div>
          <p class="quiet">{texts.secure}</p>
        </div>
        <Installments {...props} />
      </fieldset>
      <noscript>
        <p>{texts.noScript}</p>
      </noscript>
    </>
  );
}

function CardField({ name, words }: { name: keyof typeof INPUTS; words: Words }) {
  const texts = words.texts.link.card;
  const id = `card-${name}-wrong`;
  return (
    <label>
      {texts.fields[name]}
      <input {...INPUTS[name]} data-card-field={name} spellcheck={false} aria-describedby={id} />
      {name === "number" ? <span class="quiet" data-card-brand></span> : null}
      <span class="wrong" id={id} hidden>
        {texts.errors[name]}
      </span>
    </label>
  );
}

/** With their amounts where these are known; the script writes them anew as the payer chooses an amount. */
function Installments({ terms, typed, words }: CardProps) {
  const { maxInstallments, amount, maxQuantity } = terms;
  const texts = words.texts.link.card;
  const total = maxQuantity === 1 ? amount : null;
  if (maxInstallments === 1) return <input type="hidden" name="installments" value="1" />;
  return (
    <label>
      {texts.installments}
      <select
        name="installments"
        data-once={texts.once}
        data-parts={texts.parts}
        data-parts-first={texts.partsFirst}
        data-amount={amount === null ? "" : String(amount)}
      >
        {Array.from({ length: maxInstallments }, (_, index) => index + 1).map((count) => (
          <option value={String(count)} selected={typed.installments === String(count)}>
            {total === null ? `${count}x` : installmentText(total, count, words)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** As the ledger divides it: the first part takes the remainder. Centavos. */
function installmentText(total: number, count: number, { texts, language }: Words): string {
  const words = texts.link.card;
  if (count === 1) return fill(words.once, { value: money(total, language) });
  const parts = releaseSchedule({ amount: total, parts: count, releaseDays: 0, paidAt: 0 });
  const [first, ...others] = parts.map((part) => part.amount);
  const value = money(others.at(-1) ?? 0, language);
  const text = fill(words.parts, { count, value });
  if (first === others.at(-1)) return text;
  return `${text} ${fill(words.partsFirst, { first: money(first ?? 0, language) })}`;
}
