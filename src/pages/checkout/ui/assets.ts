import { brandTones, type Tone } from "./brand-tones.ts";
import sheet from "./checkout.css";
import { assetHeaders, hashedAsset } from "../../shared/assets.ts";
import { MARK_SVG } from "../../shared/look/mark.ts";
import tokens from "../../shared/look/tokens.css";
import type { CheckoutApp } from "../context.ts";
import { CARD_PAGE_SCRIPT } from "../../payment-link/card-page-script.ts";
import { FORM_SCRIPT } from "../../payment-link/form-script.ts";
import { SCRIPT } from "./script.ts";

const PATH = "/checkout/assets/";
const style = hashedAsset("checkout", "css", tokens + sheet);
const script = hashedAsset("checkout", "js", SCRIPT);
const icon = hashedAsset("icon", "svg", MARK_SVG);
const formScript = hashedAsset("link", "js", FORM_SCRIPT);
const cardScript = hashedAsset("card", "js", CARD_PAGE_SCRIPT);
const FILES = new Map(
  [style, script, formScript, cardScript, icon].map((asset) => [asset.file, asset]),
);

/** The paths of the files of every payer's page. */
export const ASSETS = {
  style: PATH + style.file,
  script: PATH + script.file,
  formScript: PATH + formScript.file,
  cardScript: PATH + cardScript.file,
  icon: PATH + icon.file,
};

/** The path of the style sheet of a brand's colour, `#rrggbb`. */
export function brandStylePath(color: string): string {
  return `${PATH}brand-${color.slice(1)}.css`;
}

/** The files of the payer's pages. A colour's style sheet is computed from its name, so nothing is read for it. */
export function assetRoutes(app: CheckoutApp): void {
  app.get("/assets/:file{brand-[0-9a-f]{6}\\.css}", (c) => {
    const { light, dark } = brandTones(`#${c.req.param("file").slice("brand-".length, -4)}`);
    const text = `${rootOf(light)}@media (prefers-color-scheme: dark) { ${rootOf(dark)}}\n`;
    return c.body(text, 200, assetHeaders(style));
  });
  app.get("/assets/:file", (c) => {
    const asset = FILES.get(c.req.param("file"));
    return asset === undefined ? c.notFound() : c.body(asset.text, 200, assetHeaders(asset));
  });
}

function rootOf({ accent, onAccent }: Tone): string {
  return `:root { --accent: ${accent}; --on-accent: ${onAccent}; }\n`;
}
