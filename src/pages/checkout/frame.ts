import type { Payee } from "../../api/checkout/repository.ts";
import type { CheckoutContext } from "./context.ts";

/** Where a payer's page may stand in a frame, and where it does. */
export interface Frame {
  /** The origins whose pages may frame it. */
  origins: readonly string[];
  /** The one of them that the script talks to; null for a page that no element opened. */
  parent: string | null;
}

/** Of pages that stand in no frame: errors, receipts. */
export const NO_FRAME: Frame = { origins: [], parent: null };

/** The frame of a company's page: the origin that opened it stands in its address, and must be listed. */
export function frameOf(c: CheckoutContext, { embedOrigins }: Payee): Frame {
  const origins = embedOrigins ?? [];
  const asked = c.req.query("embed");
  return { origins, parent: origins.find((origin) => origin === asked) ?? null };
}

/** A path of a payer's page that stays in its frame. */
export function framedPath(path: string, { parent }: Frame): string {
  if (parent === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}embed=${encodeURIComponent(parent)}`;
}

/** The attributes of a link to a page that does not stand in a frame, which a frame opens in a tab of its own. */
export function tabOf({ parent }: Frame): { target?: string; rel?: string } {
  return parent === null ? {} : { target: "_blank", rel: "noopener" };
}

/** The attributes of a link that leaves the frame with the page around it. */
export function topOf({ parent }: Frame): { target?: string } {
  return parent === null ? {} : { target: "_top" };
}
