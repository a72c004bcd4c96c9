import { fill } from "../shared/language.ts";
import { QrCode } from "../shared/qr-code.tsx";
import type { PayerCharge } from "./charge.ts";
import { useLocale, useTexts } from "./texts.ts";
import { leftInWords } from "./time-left.ts";
import { Code, CopyButton } from "./ui/parts.tsx";

/** The PIX of an open charge: the code to copy first, its deadline, the QR code, how to pay. Nothing for a charge without one. */
export function PixPart({ charge }: { charge: PayerCharge }) {
  const { pix } = useTexts();
  const { code } = charge;
  if (code === null) return null;
  return (
    <>
      <CopyButton of="pix-code" button={pix.copy} />
      <p>{pix.waiting}</p>
      {charge.slip === null ? <Deadline charge={charge} /> : null}
      <FoldedQrCode code={code} label={pix.qr} />
      <Code id="pix-code" label={pix.code} value={code} />
      <ol class="quiet">
        {pix.how.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
    </>
  );
}

/** The QR code, which a phone does not read from its own screen: folded where a finger points, open elsewhere. */
export function FoldedQrCode({ code, label }: { code: string; label: string }) {
  const { pix } = useTexts();
  return (
    <div class="folded">
      <label class="choice fold">
        <input type="checkbox" id="qr-shown" data-kept />
        {pix.showQr}
      </label>
      <QrCode code={code} label={label} />
    </div>
  );
}

/** The time left in words, which the script counts, and when the code expires. */
function Deadline({ charge }: { charge: PayerCharge }) {
  const { pix } = useTexts();
  const { dateTime, language } = useLocale();
  const { expiresAt } = charge.polled;
  if (expiresAt === null) return null;
  const until = Date.parse(expiresAt);
  return (
    <p class="quiet">
      {pix.left}{" "}
      <span class="time" role="timer" aria-label={pix.left} data-until={String(until)}>
        {leftInWords(Math.max(0, Math.ceil((until - charge.nowMs) / 1_000)), language)}
      </span>{" "}
      {fill(pix.expires, { time: dateTime(expiresAt, "medium") })}
    </p>
  );
}
