import { useLocale, useTexts } from "../../texts.ts";
import { QrCode } from "../../../shared/qr-code.tsx";
import type { StaticCode } from "./pages.tsx";

/** A sign for the counter, one A6 sheet when printed: whom one pays, what, and the code. */
export function Sign({ code, company }: { code: StaticCode; company: string }) {
  const { money } = useLocale();
  const words = useTexts().staticCodes;
  return (
    <>
      <p class="screen-only">{words.printHint}</p>
      <section class="sign" aria-label={words.sign}>
        <p class="sign-title">{words.payHere}</p>
        <p class="sign-company">{company}</p>
        <QrCode code={code.qrcode} label={words.qr} />
        <p class="sign-amount">{code.amount === null ? words.youChoose : money(code.amount)}</p>
        {code.description === "" ? null : <p>{code.description}</p>}
        <p class="hint">{words.checkName}</p>
      </section>
      <p class="screen-only">
        <a href={`/console/static-codes/${code.id}`}>{words.back}</a>
      </p>
    </>
  );
}
