import { encode } from "uqr";
import { runs, type Symbol2d } from "./bars.ts";

/** White that a reader needs around a QR code, in modules (ISO/IEC 18004). */
export const QR_QUIET_ZONE = 4;

/** A text as a QR code; error correction M bears a crease or a stain. */
export function qrSymbol(text: string): Symbol2d {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const bars = data.flatMap((row, y) => runs(row.map((dark) => (dark ? "1" : "0")).join(""), y));
  return { width: size, height: size, bars };
}
