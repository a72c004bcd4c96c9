import { fill } from "../shared/language.ts";
import { QrCode } from "../shared/qr-code.tsx";
import type { PayerCharge } from "./charge.ts";
import { useLocale, useTexts } from "./texts.ts";
import { Copyable } from "./ui/parts.tsx";

/** The PIX of an open charge: QR code, code to copy, deadline, how to pay. Nothing for a charge without one. */
export function PixPart({ charge }: { charge: PayerCharge }) {
  const { pix } = useTexts();
  const { code } = charge;
  if (code === null) return null;
  return (
    <>
      {charge.slip === null ? <Deadline charge={charge} /> : null}
      <QrCode code={code} label={pix.qr} />
      <Copyable id="pix-code" label={pix.code} button={pix.copy} value={code} />
      <p>{pix.waiting}</p>
      <ol class="quiet">
        {pix.how.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
    </>
  );
}

/** When the code expires, and the time left, which the script counts. */
function Deadline(props: { charge: PayerCharge }) {
  const { pix } = useTexts();
  const { dateTime } = useLocale();
  const { expiresAt } = props.charge.polled;
  if (expiresAt === null) return null;
  return (
    <p class="quiet">
      {fill(pix.expires, { time: dateTime(expiresAt, "medium") })}{" "}
      <span
        class="time"
        role="timer"
        aria-label={pix.left}
        data-until={String(Date.parse(expiresAt))}
      ></span>
    </p>
  );
}
