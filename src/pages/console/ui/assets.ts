import { decodeBase64 } from "hono/utils/encode";
import type { ConsoleApp } from "../context.ts";
import { assetHeaders } from "../../shared/assets.ts";
import { HOME_SCREEN_ICON } from "../../shared/look/home-screen-icon.ts";
import { SPRITE } from "../../shared/look/icons.ts";
import { MARK_SVG } from "../../shared/look/mark.ts";
import tokens from "../../shared/look/tokens.css";
import { CASHIER_SCRIPT } from "./scripts/cashier.ts";
import { CERTIFICATE_SCRIPT } from "./scripts/certificate.ts";
import { PASSKEY_SCRIPT } from "./scripts/passkey.ts";
import { LIVE_SCRIPT } from "./scripts/live.ts";
import { SCRIPT } from "./scripts/page.ts";
import base from "./style/base.css";
import cashier from "./style/cashier.css";
import find from "./style/find.css";
import decision from "./style/decision.css";
import forms from "./style/forms.css";
import frame from "./style/frame.css";
import narrow from "./style/narrow.css";
import parts from "./style/parts.css";
import rows from "./style/rows.css";
import screens from "./style/screens.css";
import today from "./style/today.css";

/** The console's only style sheet. A rule wins over those before it. */
const STYLE = [
  tokens,
  base,
  frame,
  forms,
  parts,
  narrow,
  screens,
  find,
  today,
  decision,
  rows,
  cashier,
].join("\n");

/** What a phone needs to put the console on its home screen. */
const MANIFEST = JSON.stringify({
  name: "Centavo",
  short_name: "Centavo",
  start_url: "/console",
  display: "standalone",
  background_color: "#f7f5f2",
  theme_color: "#0b6b4f",
  icons: [
    { src: "/console/assets/icon.svg", sizes: "any", type: "image/svg+xml" },
    { src: "/console/assets/home-screen.png", sizes: "180x180", type: "image/png" },
  ],
});

const FILES: Record<string, [type: string, content: string | ArrayBuffer]> = {
  "console.css": ["text/css; charset=utf-8", STYLE],
  "console.js": ["text/javascript; charset=utf-8", SCRIPT],
  "live.js": ["text/javascript; charset=utf-8", LIVE_SCRIPT],
  "cashier.js": ["text/javascript; charset=utf-8", CASHIER_SCRIPT],
  "certificate.js": ["text/javascript; charset=utf-8", CERTIFICATE_SCRIPT],
  "passkeys.js": ["text/javascript; charset=utf-8", PASSKEY_SCRIPT],
  "icon.svg": ["image/svg+xml", MARK_SVG],
  "home-screen.png": ["image/png", decodeBase64(HOME_SCREEN_ICON).buffer],
  "console.webmanifest": ["application/manifest+json", MANIFEST],
};

/** The files of every page. They change with a deploy, so a browser asks again after a minute. */
export function assetRoutes(app: ConsoleApp): void {
  app.get("/assets/:file", (c) => {
    const name = c.req.param("file");
    if (name === SPRITE.file) return c.body(SPRITE.text, 200, assetHeaders(SPRITE));
    if (!Object.hasOwn(FILES, name)) return c.notFound();
    const [type, content] = FILES[name]!;
    return c.body(content, 200, { "Content-Type": type, "Cache-Control": "public, max-age=60" });
  });
}
