import JsBarcode from "jsbarcode";
import { encode } from "uqr";

/** A black rectangle, in modules from the symbol's upper left corner. */
interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A symbol without its quiet zone, in modules. */
export interface Symbol2d {
  width: number;
  height: number;
  bars: Bar[];
}

/** FEBRABAN, Layout Código de Barras: 103 mm by 13 mm. */
export const BARCODE_MM = { width: 103, height: 13 };
/** White that a reader needs left and right of the barcode. */
export const QUIET_ZONE_MM = 5;
/** White that a reader needs around a QR code, in modules (ISO/IEC 18004). */
export const QR_QUIET_ZONE = 4;

/** A boleto's barcode as Interleaved 2 of 5, wide bars three times the narrow ones. */
export function barcodeSymbol(barcode: string): Symbol2d {
  const target: { encodings?: { data: string }[] } = {};
  JsBarcode(target, barcode, { format: "ITF" });
  const modules = target.encodings?.[0]?.data ?? "";
  return { width: modules.length, height: 1, bars: runs(modules, 0) };
}

/** A BR Code as a QR code; error correction M bears a crease or a stain. */
export function qrSymbol(text: string): Symbol2d {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const bars = data.flatMap((row, y) => runs(row.map((dark) => (dark ? "1" : "0")).join(""), y));
  return { width: size, height: size, bars };
}

function runs(modules: string, y: number): Bar[] {
  return Array.from(modules.matchAll(/1+/g), ({ index, 0: run }) => ({
    x: index,
    y,
    width: run.length,
    height: 1,
  }));
}

/** The bars as an SVG path, which a PDF takes too. */
export function svgPath({ bars }: Symbol2d): string {
  return bars.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h-${width}z`).join("");
}
