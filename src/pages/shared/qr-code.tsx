import { svgPath } from "../../lib/symbols/bars.ts";
import { QR_QUIET_ZONE, qrSymbol } from "../../lib/symbols/qr.ts";

/** A text as a QR code, black on the white that readers need, also on a dark page. */
export function QrCode(props: { code: string; label: string }) {
  const symbol = qrSymbol(props.code);
  const side = symbol.width + 2 * QR_QUIET_ZONE;
  return (
    <div class="qr">
      <svg
        role="img"
        aria-label={props.label}
        viewBox={`${-QR_QUIET_ZONE} ${-QR_QUIET_ZONE} ${side} ${side}`}
        xmlns="http://www.w3.org/2000/svg"
      >
        <path d={svgPath(symbol)} fill="#000" />
      </svg>
    </div>
  );
}
