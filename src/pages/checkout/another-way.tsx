import type { PayerCharge } from "./charge.ts";
import { framedPath } from "./frame.ts";

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
