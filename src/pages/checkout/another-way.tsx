import { needsCard } from "../../api/payment-links/pay.ts";
import { fill } from "../shared/language.ts";
import type { PayerCharge } from "./charge.ts";
import { framedPath } from "./frame.ts";
import { useTexts } from "./texts.ts";

/** The button back to the payment link that a charge was made under, where its payer may choose again. */
export function AnotherWay({ charge, text }: { charge: PayerCharge; text: string }) {
  const { anotherWay, frame } = charge;
  if (anotherWay === null) return null;
  return (
    <a class="button" href={framedPath(anotherWay, frame)}>
      {text}
    </a>
  );
}

/** After a refused card: each method that the payment link takes, the card first, for another card may be taken. */
export function WaysOn({ charge }: { charge: PayerCharge }) {
  const { methods, anotherWay, frame } = charge;
  const { card, methods: names } = useTexts().link;
  if (anotherWay === null) return null;
  const ways = methods.toSorted((one, other) => Number(needsCard(other)) - Number(needsCard(one)));
  return (
    <>
      {ways.map((method, index) => (
        <a
          class={index === 0 ? "button primary" : "button"}
          href={framedPath(`${anotherWay}&method=${method}`, frame)}
        >
          {needsCard(method) ? card.other : fill(card.instead, { method: names[method] })}
        </a>
      ))}
    </>
  );
}
