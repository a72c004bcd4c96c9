import { AnotherWay } from "./another-way.tsx";
import { BoletoPart } from "./boleto.tsx";
import type { PayerCharge } from "./charge.ts";
import type { CheckoutContext } from "./context.ts";
import { framedPath } from "./frame.ts";
import { PixPart } from "./pix.tsx";
import { StatusPart } from "./status.tsx";
import { textsOf, useLocale, useTexts } from "./texts.ts";
import { page } from "./ui/layout.tsx";
import { Bought, Facts } from "./ui/parts.tsx";

/** The page asks for more time when so much is left, well within what the reservation's rule takes. */
const RENEW_AT_SECONDS = 120;

/** The page of a charge. The script reads the attributes of `main`, and replaces it when the status changes. */
export function checkoutPage(c: CheckoutContext, charge: PayerCharge) {
  const texts = textsOf(c);
  const { polled, state, secureId, frame } = charge;
  const isOpen = state === "open";
  const heading = charge.code === null ? texts.boleto.heading : texts.pix.heading;
  const title = isOpen ? heading : texts.states[state].title;
  return page(
    c,
    { title, brand: charge.payee, isTest: charge.isTest, frame },
    <main
      tabindex={-1}
      data-poll={`/api/checkout/status/${secureId}`}
      data-state={state}
      data-status={polled.status}
      data-after={String(polled.pollAfterMs)}
      data-now={String(charge.nowMs)}
      {...(charge.isRenewable
        ? { "data-renew": `/checkout/${secureId}/renew`, "data-renew-at": String(RENEW_AT_SECONDS) }
        : {})}
    >
      {isOpen ? (
        <>
          <div data-news>
            <h1>{heading}</h1>
          </div>
          <ToPay charge={charge} />
          <PixPart charge={charge} />
          <BoletoPart charge={charge} />
          <AnotherWay charge={charge} text={texts.shell.anotherWay} />
        </>
      ) : (
        <StatusPart charge={charge} />
      )}
      <noscript>
        <p>{texts.shell.noScript}</p>
        <a class="button" href={framedPath(`/checkout/${secureId}`, frame)}>
          {texts.shell.reload}
        </a>
      </noscript>
    </main>,
  );
}

/** What is to be paid today, to whom, and how it comes to be that much. */
function ToPay({ charge }: { charge: PayerCharge }) {
  const { money, date } = useLocale();
  const texts = useTexts();
  const { labels } = texts;
  const { amount, amountDue, dueDate } = charge;
  const added = amountDue - amount;
  return (
    <>
      <Bought charge={charge} />
      <p class="amount">{money(amountDue)}</p>
      {added === 0 ? null : <p>{texts.pix.dueToday}</p>}
      <Facts
        of={[
          [labels.bankName, charge.registeredName],
          [labels.original, added === 0 ? null : money(amount)],
          [labels.fees, added > 0 ? money(added) : null],
          [labels.discount, added < 0 ? money(-added) : null],
          [labels.dueDate, dueDate === null ? null : date(dueDate, "medium")],
        ]}
      />
    </>
  );
}
