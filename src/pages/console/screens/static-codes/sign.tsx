import { useLocale, useTexts } from "../../texts.ts";
import { QrCode } from "../../../shared/qr-code.tsx";
import type { Cents } from "../../../../domain/shared/money.ts";

interface SignProps {
  /** The PIX code, or the address of a payment link. */
  code: string;
  company: string;
  /** Null where the payer chooses. */
  amount: Cents | null;
  description: string;
  /** The path of the page that it belongs to. */
  back: string;
}

/** A sign for the counter, one A6 sheet when printed: whom one pays, what, and the code. */
export function Sign({ code, company, amount, description, back }: SignProps) {
  const { money } = useLocale();
  const labels = useTexts().staticCodes;
  return (
    <>
      <p class="screen-only">{labels.printHint}</p>
      <section class="sign" aria-label={labels.sign}>
        <p class="sign-title">{labels.payHere}</p>
        <p class="sign-company">{company}</p>
        <QrCode code={code} label={labels.qr} />
        <p class="sign-amount">{amount === null ? labels.youChoose : money(amount)}</p>
        {description === "" ? null : <p>{description}</p>}
        <p class="hint">{labels.checkName}</p>
      </section>
      <p class="screen-only">
        <a href={back}>{labels.back}</a>
      </p>
    </>
  );
}
