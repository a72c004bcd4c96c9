import type { CardHouse } from "../../api/cards/house.ts";
import type { Payee } from "../../api/checkout/repository.ts";
import { needsCard } from "../../api/payment-links/pay.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PaymentLink } from "../../domain/links/payment-link.ts";
import type { CheckoutContext } from "../checkout/context.ts";
import { framedPath, frameOf, type Frame } from "../checkout/frame.ts";
import { refusalText, textsOf, useLocale, useTexts } from "../checkout/texts.ts";
import { page } from "../checkout/ui/layout.tsx";
import { Facts } from "../checkout/ui/parts.tsx";
import { fill } from "../shared/language.ts";
import { CardFields, Installments, SaveCard } from "./card.tsx";
import { choiceOf, type Typed } from "./form.ts";
import { lookOf, nameOf, NOTICES, type Notice } from "./notice.tsx";

interface CardPage {
  link: PaymentLink;
  payee: Payee;
  house: CardHouse;
  typed: Typed;
  /** Why the last card was not charged, with the refusal's code where there is one. */
  notice?: Extract<Notice, "cardRefused" | "cardEnded" | "cardForbidden">;
  refusal?: string;
}

/**
 * The page on which a payer types the card: one for links, the checkout and its frames. Its form carries what the payer chose
 * before, and sends the card's token and the installments.
 */
export function cardPage(c: CheckoutContext, shown: CardPage) {
  const { link, payee, house, notice } = shown;
  const { labels } = textsOf(c);
  const total = totalOf(link, shown.typed);
  const frame = frameOf(c, payee);
  return page(
    c,
    {
      title: link.name,
      ...lookOf(c, payee),
      isTest: payee.mode === "sandbox",
      hasForm: true,
      house: house.tokenisation,
      status: notice === undefined ? 200 : NOTICES[notice],
    },
    <main>
      <h1>{link.name}</h1>
      <Total of={total} />
      <CardForm {...shown} total={total} frame={frame} />
      <Ways {...shown} frame={frame} />
      <Facts of={[[labels.payee, nameOf(payee)]]} />
    </main>,
  );
}

/** What is paid by the card, centavos. */
export function totalOf({ terms }: PaymentLink, typed: Typed): Cents {
  const { amount, quantity } = choiceOf(typed);
  return (terms.amount ?? amount ?? 0) * (terms.maxQuantity === 1 ? 1 : (quantity ?? 1));
}

function Total({ of: total }: { of: number }) {
  const { money } = useLocale();
  return <p class="amount">{money(total)}</p>;
}

/** Shown by the script: without it no card can be sent. */
function CardForm(shown: CardPage & { total: number; frame: Frame }) {
  const { link, payee, house, typed, total, frame, notice, refusal = "" } = shown;
  const texts = useTexts();
  const { card, notices } = texts.link;
  const said =
    notice === "cardRefused" ? refusalText(refusal, texts) : notices[notice ?? "cardEnded"].text;
  const {
    cardToken: _token,
    cardAccount: _account,
    saveCard: _save,
    installments,
    ...kept
  } = typed;
  const isOffered = link.terms.saveCard === true && house.savesCards;
  return (
    <>
      <form
        method="post"
        action={framedPath(`/l/${link.slug}`, frame)}
        hidden
        data-script
        data-house={JSON.stringify(house.tokenisation)}
        data-offline={card.offline}
        data-closed={card.closed}
        data-invalid={card.invalid}
        novalidate
      >
        {Object.entries(kept).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="cardAccount" value={house.account} />
        <input type="hidden" name="cardToken" value="" />
        <fieldset>
          <legend>{card.legend}</legend>
          <div role="alert" class="wrong" data-card-alert>
            {notice === undefined ? null : (
              <>
                <p>{notices[notice].title}</p>
                <p>{said}</p>
              </>
            )}
          </div>
          <div class="fields">
            <CardFields secure={card.direct} />
          </div>
          <Installments
            most={link.terms.maxInstallments}
            each={link.terms.amount}
            total={total}
            chosen={installments}
          />
          {isOffered ? <SaveCard typed={typed} payee={nameOf(payee)} /> : null}
        </fieldset>
        <button class="primary" type="submit">
          {card.pay}
        </button>
      </form>
      <noscript>
        <p>{card.noScript}</p>
      </noscript>
    </>
  );
}

/** The link's other methods, on its first page. */
function Ways({ link, typed, frame }: CardPage & { frame: Frame }) {
  const { card, methods } = useTexts().link;
  const others = link.terms.paymentMethods.filter((method) => !needsCard(method));
  return (
    <>
      {others.map((method) => (
        <a
          class="button"
          href={framedPath(`/l/${link.slug}?checkout=${typed.checkout}&method=${method}`, frame)}
        >
          {fill(card.instead, { method: methods[method] })}
        </a>
      ))}
    </>
  );
}
