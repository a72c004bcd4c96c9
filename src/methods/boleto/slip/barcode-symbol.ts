import JsBarcode from "jsbarcode";
import { runs, type Symbol2d } from "../../../lib/symbols/bars.ts";

/** FEBRABAN, Layout Código de Barras: 103 mm by 13 mm. */
export const BARCODE_MM = { width: 103, height: 13 };
/** White that a reader needs left and right of the barcode. */
export const QUIET_ZONE_MM = 5;

/** A boleto's barcode as Interleaved 2 of 5, wide bars three times the narrow ones. */
export function barcodeSymbol(barcode: string): Symbol2d {
  const target: { encodings?: { data: string }[] } = {};
  JsBarcode(target, barcode, { format: "ITF" });
  const modules = target.encodings?.[0]?.data ?? "";
  return { width: modules.length, height: 1, bars: runs(modules, 0) };
}
