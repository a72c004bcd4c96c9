import type { ConsoleContext } from "../../context.ts";
import { useLocale, useTexts } from "../../texts.ts";
import { QrCode } from "../../../shared/qr-code.tsx";
import type { Cents } from "../../../../domain/shared/money.ts";

/** The sheets that a sign is printed on: for a wall or a window, and for a counter. */
const SHEETS = ["a4", "a6"] as const;
type Sheet = (typeof SHEETS)[number];

interface SignProps {
  /** The PIX code, or the address of a payment link. */
  code: string;
  company: string;
  /** Null where the payer chooses. */
  amount: Cents | null;
  description: string;
  /** The path of the page that it belongs to. */
  back: string;
  sheet: Sheet;
}

/** The sheet that the URL asks for; the larger one by default. */
export function sheetOf(c: ConsoleContext): Sheet {
  return c.req.query("sheet") === "a6" ? "a6" : "a4";
}

/** A sign, one sheet when printed: whom one pays, what, and the code. */
export function Sign({ code, company, amount, description, back, sheet }: SignProps) {
  const { money } = useLocale();
  const labels = useTexts().staticCodes;
  return (
    <>
      <p class="screen-only">{labels.printHint}</p>
      <p class="screen-only actions">
        {SHEETS.map((each) => (
          <a
            class="button"
            href={`?sheet=${each}`}
            {...(each === sheet ? { "aria-current": "true" } : {})}
          >
            {labels.sheets[each]}
          </a>
        ))}
      </p>
      <section class={`sign ${sheet}`} aria-label={labels.sign}>
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
