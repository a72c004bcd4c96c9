import type { ConsoleApp } from "../context.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { SCRIPT } from "./script.ts";
import base from "./style/base.css";
import decision from "./style/decision.css";
import forms from "./style/forms.css";
import frame from "./style/frame.css";
import narrow from "./style/narrow.css";
import parts from "./style/parts.css";
import screens from "./style/screens.css";

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#0b6b4f"/><path d="M21 11a7 7 0 1 0 0 10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><path d="M16 5v22" stroke="#fff" stroke-width="2"/></svg>`;

/** The console's only style sheet. A rule wins over those before it. */
const STYLE = [base, frame, forms, parts, narrow, screens, decision].join("\n");

const FILES: Record<string, [type: string, text: string]> = {
  "console.css": ["text/css; charset=utf-8", STYLE],
  "console.js": ["text/javascript; charset=utf-8", SCRIPT],
  "passkeys.js": ["text/javascript; charset=utf-8", PASSKEY_SCRIPT],
  "icon.svg": ["image/svg+xml", ICON],
};

/** The files of every page. They change with a deploy, so a browser asks again after a minute. */
export function assetRoutes(app: ConsoleApp): void {
  app.get("/assets/:file", (c) => {
    const name = c.req.param("file");
    if (!Object.hasOwn(FILES, name)) return c.notFound();
    const [type, text] = FILES[name]!;
    return c.body(text, 200, { "Content-Type": type, "Cache-Control": "public, max-age=60" });
  });
}
