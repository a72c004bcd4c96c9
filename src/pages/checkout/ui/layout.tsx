import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { Brand } from "../../../domain/shared/company.ts";
import type { CheckoutContext } from "../context.ts";
import { tokeniserOrigins, type HouseTokenisation } from "../../../domain/psp/card-tokenisation.ts";
import { NO_FRAME, type Frame } from "../frame.ts";
import { LocaleContext } from "../../shared/locale.ts";
import { Mark } from "../../shared/look/icon.tsx";
import { localeOf, textsOf } from "../texts.ts";
import { ASSETS, brandStylePath } from "./assets.ts";

const DOCTYPE = raw("<!doctype html>");

/** Who is paid, as its pages show it. */
type ShownBrand = Brand & { name: string };

interface PageOptions {
  /** The browser's title; a page about a charge names who is paid beside it. */
  title: string;
  /** Null for the gateway's own look. */
  brand: ShownBrand | null;
  isTest?: boolean;
  /** Whether the payer sends a form to this service, which learns by the origin that it is its own. */
  hasForm?: boolean;
  /** Of the card's page: where its one script makes tokens, and nothing else may be asked. */
  house?: HouseTokenisation;
  /** By default the page stands in no frame. */
  frame?: Frame;
  status?: 200 | 400 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 500 | 503;
}

/**
 * A page of the payer's side: the payee's brand, the content and the region that tells screen readers the news. The
 * content is a `main`.
 */
export function page(c: CheckoutContext, options: PageOptions, content: Child) {
  const { title, brand, isTest = false, hasForm = false, house } = options;
  const { frame = NO_FRAME, status = 200 } = options;
  const formScript = hasForm ? [ASSETS.formScript] : [];
  const scripts = house === undefined ? [ASSETS.script, ...formScript] : [ASSETS.cardScript];
  const connect = house === undefined ? ["'self'"] : tokeniserOrigins(house);
  const locale = localeOf(c);
  const texts = textsOf(c);
  c.header("Content-Language", locale.language);
  c.header("Vary", "Accept-Language");
  const logoUrl = brand?.logoUrl ?? null;
  c.header("Content-Security-Policy", contentSecurityPolicy({ logoUrl, hasForm, connect, frame }));
  return c.html(
    <LocaleContext.Provider value={locale}>
      {DOCTYPE}
      <html
        lang={locale.language}
        {...(frame.parent === null ? {} : { "data-parent": frame.parent })}
      >
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="referrer" content={hasForm ? "same-origin" : "no-referrer"} />
          <meta name="color-scheme" content="light dark" />
          <title>{brand === null ? title : `${title} · ${brand.name}`}</title>
          <link rel="icon" href={ASSETS.icon} />
          <link rel="stylesheet" href={ASSETS.style} />
          {brand?.color == null ? null : (
            <link rel="stylesheet" href={brandStylePath(brand.color)} />
          )}
          {scripts.map((src) => (
            <script src={src} defer></script>
          ))}
        </head>
        <body>
          <header>
            {isTest ? <p class="test">{texts.shell.test}</p> : null}
            <div class="payee">
              {brand?.logoUrl == null ? null : (
                <img src={brand.logoUrl} alt="" referrerpolicy="no-referrer" />
              )}
              {brand === null ? <Mark /> : null}
              {brand?.name ?? "Centavo"}
            </div>
          </header>
          {content}
          <p id="live" class="hidden" role="status"></p>
        </body>
      </html>
    </LocaleContext.Provider>,
    status,
  );
}

/**
 * Only files of this service, no inline script or style, no frame within; around it only the origins that the company
 * lists. A card's page asks the house of its company alone, so that no script can bring the card anywhere else. The one image from elsewhere is the company's logo, by its exact address.
 */
function contentSecurityPolicy(of: {
  logoUrl: string | null;
  hasForm: boolean;
  /** What the page's scripts may ask. */
  connect: readonly string[];
  frame: Frame;
}): string {
  const { logoUrl, hasForm, connect, frame } = of;
  const ancestors = frame.origins.length === 0 ? "'none'" : frame.origins.join(" ");
  const logo = logoUrl === null ? "" : ` ${logoSource(logoUrl)}`;
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'${logo}; ` +
    `connect-src ${connect.join(" ")}; form-action '${hasForm ? "self" : "none"}'; frame-ancestors ${ancestors}; base-uri 'none'`
  );
}

/** An address as a source of the policy, whose own separators are escaped (CSP 3, 2.3.1). */
function logoSource(logoUrl: string): string {
  const { origin, pathname } = new URL(logoUrl);
  return origin + pathname.replaceAll(";", "%3B").replaceAll(",", "%2C");
}
