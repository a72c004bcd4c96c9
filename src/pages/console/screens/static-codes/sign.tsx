import { useLocale, useTexts } from "../../texts.ts";
import { QrCode } from "../../../shared/qr-code.tsx";
import type { StaticCode } from "./pages.tsx";

/** A sign for the counter, one A6 sheet when printed: whom one pays, what, and the code. */
export function Sign({ code, company }: { code: StaticCode; company: string }) {
  const { money } = useLocale();
  const labels = useTexts().staticCodes;
  return (
    <>
      <p class="screen-only">{labels.printHint}</p>
      <section class="sign" aria-label={labels.sign}>
        <p class="sign-title">{labels.payHere}</p>
        <p class="sign-company">{company}</p>
        <QrCode code={code.qrcode} label={labels.qr} />
        <p class="sign-amount">{code.amount === null ? labels.youChoose : money(code.amount)}</p>
        {code.description === "" ? null : <p>{code.description}</p>}
        <p class="hint">{labels.checkName}</p>
      </section>
      <p class="screen-only">
        <a href={`/console/static-codes/${code.id}`}>{labels.back}</a>
      </p>
    </>
  );
}
