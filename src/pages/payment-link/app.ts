import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { newCardSession, openPageToken } from "../../api/cards/session.ts";
import { findCardHouse } from "../../api/cards/house.ts";
import { needsCard, payByLink, type WrongField } from "../../api/payment-links/pay.ts";
import { requirementsOf } from "../../api/payment-links/payer.ts";
import { findLinkAndPayee } from "../../api/payment-links/repository.ts";
import { findOpenCompany } from "../../db/companies/companies.ts";
import { publicOrigin } from "../../config.ts";
import type { Problem } from "../../domain/shared/problem.ts";
import { newSecureRandom } from "../../domain/shared/ids.ts";
import { hasReservation, linkStatus } from "../../domain/links/payment-link.ts";
import { parseSlug } from "../../domain/links/slug.ts";
import { senderOf } from "../../http/client-address.ts";
import { depsOfCompany, type AppContext } from "../../http/context.ts";
import type { CheckoutContext, CheckoutEnv } from "../checkout/context.ts";
import { failedPage } from "../checkout/errors.tsx";
import { framedPath, frameOf } from "../checkout/frame.ts";
import { EMPTY, choiceOf, typedOf, type Typed } from "./form.ts";
import { findOwnCharge, rememberCharge } from "./own-charge.ts";
import { cardPage, totalOf } from "./card-page.tsx";
import { noticePage, type Notice } from "./notice.tsx";
import { formPage } from "./page.tsx";

/** Larger than the longest form: a name, a document and an e-mail. */
const FORM_MAX_BYTES = 8 * 1024;

const linkApp = new Hono<CheckoutEnv>().basePath("/l");
linkApp.use(async (c, next) => {
  await next();
  c.header("X-Robots-Tag", "noindex");
  c.header("Referrer-Policy", "same-origin");
});
linkApp.use(csrf());
linkApp.get("/:slug", (c) => showLink(c));
linkApp.post(
  "/:slug",
  bodyLimit({
    maxSize: FORM_MAX_BYTES,
    onError: (c) => noticePage(c as CheckoutContext, "tooLarge", null),
  }),
  (c) => pay(c),
);
linkApp.notFound((c) => noticePage(c, "notFound", null));
linkApp.onError((error, c) => {
  // A form of another site, or none that a browser sends.
  if (error instanceof HTTPException && error.status === 403) return noticePage(c, "foreign", null);
  return failedPage(error, c);
});

/** The pages' answer to a request of the service. */
export async function servePaymentLink(outer: AppContext): Promise<Response> {
  return linkApp.fetch(outer.req.raw, { outer });
}

const busyApp = new Hono<CheckoutEnv>();
busyApp.all("*", (c) => noticePage(c, "busy", null));

/** The page of a payer beyond a limit of requests, with the headers of its problem. */
export async function serveBusyPage(outer: AppContext, { details }: Problem): Promise<Response> {
  const page = await busyApp.fetch(outer.req.raw, { outer });
  const { retryAfterSeconds = 60, headers = {} } = details;
  page.headers.set("Retry-After", String(retryAfterSeconds));
  for (const [name, value] of Object.entries(headers)) page.headers.set(name, value);
  return page;
}

type Shown = NonNullable<Awaited<ReturnType<typeof findLinkAndPayee>>>;

function findLink(c: CheckoutContext): Promise<Shown | null> {
  const named = parseSlug(c.req.param("slug") ?? "");
  return named === null ? Promise.resolve(null) : findLinkAndPayee(c.env.outer.env, named);
}

/** The form. A visit makes nothing; `checkout` names what the payer has begun already. */
async function showLink(c: CheckoutContext): Promise<Response> {
  const shown = await findLink(c);
  if (shown === null) return noticePage(c, "notFound", null);
  const { random, clock } = depsOfCompany(c.env.outer.get("deps"), shown.payee);
  const checkoutId = c.req.query("checkout") ?? "";
  const own = await findOwnCharge(c, shown);
  if (own !== null && own.checkoutId !== checkoutId) return toCharge(c, shown, own.secureId);
  const status = linkStatus(shown.link, clock.now());
  // Who has begun a checkout has a reservation.
  if (checkoutId === "" && status !== "active") return noticePage(c, status, shown.payee);
  if (checkoutId === "" && !hasReservation(shown.link)) return noticePage(c, "full", shown.payee);
  const key = newSecureRandom(random);
  const asked = c.req.query("method");
  const method = shown.link.terms.paymentMethods.find((each) => each === asked) ?? "";
  const typed = { ...EMPTY, key, method, checkout: checkoutId === "" ? key : checkoutId };
  return showForm(c, shown, typed);
}

async function pay(c: CheckoutContext): Promise<Response> {
  const shown = await findLink(c);
  if (shown === null) return noticePage(c, "notFound", null);
  const { outer } = c.env;
  const typed = typedOf(await c.req.parseBody());
  const own = await findOwnCharge(c, shown);
  if (own !== null && own.checkoutId !== typed.checkout) return toCharge(c, shown, own.secureId);
  const context = {
    env: outer.env,
    deps: depsOfCompany(outer.get("deps"), shown.payee),
    origin: publicOrigin(outer.env, c.req.url),
    traceId: outer.get("traceId"),
    sender: senderOf(outer),
  };
  const { link, payee } = shown;
  const outcome = await payByLink(context, payee, link, choiceOf(typed));
  switch (outcome.kind) {
    case "charge":
      rememberCharge(c, link, outcome.secureId);
      return toCharge(c, shown, outcome.secureId);
    case "invalid":
      return payee.mode === "live" && isOfCard(outcome.wrong)
        ? showCard(c, shown, typed)
        : showForm(c, shown, typed, { wrong: outcome.wrong });
    case "refused":
      return payee.mode === "live"
        ? showCard(c, shown, typed, { notice: "cardRefused", refusal: outcome.code })
        : refusedForm(c, shown, { ...typed, cardToken: "" }, "cardRefused", outcome.code);
    case "token_ended":
      return showCard(c, shown, typed, { notice: "cardEnded" });
    case "closed":
      return noticePage(c, outcome.status, payee);
    case "not_found":
      return noticePage(c, "notFound", null);
    case "full":
      return noticePage(c, "full", payee);
    case "crowded":
      return noticePage(c, "crowded", payee);
    case "too_many":
      return noticePage(c, "tooMany", payee);
    case "failed":
      return refusedForm(c, shown, typed, "failed");
    case "problem": {
      const { code, retryAfterSeconds } = outcome.problem.details;
      if (code === "CARD_ATTEMPTS_EXCEEDED") return noticePage(c, "cardAttempts", payee);
      if (code === "RETRY_FORBIDDEN") {
        return payee.mode === "live"
          ? showCard(c, shown, typed, { notice: "cardForbidden" })
          : refusedForm(c, shown, { ...typed, cardToken: "" }, "cardForbidden");
      }
      if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
      return refusedForm(c, shown, typed, "unavailable");
    }
  }
}

function toCharge(c: CheckoutContext, { payee }: Shown, secureId: string): Response {
  return c.redirect(framedPath(`/checkout/${secureId}`, frameOf(c, payee)), 303);
}

/** The form again with what was typed and, after a decision, a key of its own: the refused charge has the earlier one. */
function refusedForm(
  c: CheckoutContext,
  shown: Shown,
  typed: Typed,
  notice: Extract<Notice, "failed" | "unavailable" | "cardRefused" | "cardForbidden">,
  refusal = "",
) {
  const key = newSecureRandom(c.env.outer.get("deps").random);
  const next = notice === "unavailable" ? typed : { ...typed, key };
  return showForm(c, shown, next, { notice, refusal });
}

/** Whether the first page of a live company's link is right, so that the card's page follows. */
function isOfCard(wrong: ReadonlySet<WrongField>): boolean {
  return [...wrong].every((field) => field === "card" || field === "installments");
}

/** The card's page, with a key of its own after a decision; the form where no house takes the company's cards. */
async function showCard(
  c: CheckoutContext,
  shown: Shown,
  typed: Typed,
  answer: Pick<Parameters<typeof cardPage>[1], "notice" | "refusal"> = {},
) {
  const { env, var: variables } = c.env.outer;
  const method = shown.link.terms.paymentMethods.find((each) => each === typed.method);
  const house =
    method === undefined
      ? null
      : await findCardHouse({ env, deps: variables.deps }, shown.payee.id, {
          method,
          amount: totalOf(shown.link, typed),
        });
  if (house === null) return refusedForm(c, shown, typed, "unavailable");
  const key = answer.notice === undefined ? typed.key : newSecureRandom(variables.deps.random);
  return cardPage(c, { ...shown, house, typed: { ...typed, key }, ...answer });
}

/** The form, with a session for a card where this service makes the tokens of its cards. */
async function showForm(
  c: CheckoutContext,
  shown: Shown,
  typed: Typed,
  answer: Pick<Parameters<typeof formPage>[1], "wrong" | "notice" | "refusal"> = {},
) {
  const { outer } = c.env;
  const { link, payee } = shown;
  const checkout = { companyId: payee.id, checkoutId: typed.checkout };
  const { platformClock, random } = outer.get("deps");
  const isTyped = payee.mode === "sandbox" && link.terms.paymentMethods.some(needsCard);
  const card = isTyped
    ? {
        session: await newCardSession(outer.env, checkout, { nowMs: platformClock.now(), random }),
        chosen: await openPageToken(outer.env, checkout, typed.cardToken),
      }
    : null;
  const company = await findOpenCompany(outer.env, payee.id);
  if (company === null) return noticePage(c, "notFound", null);
  const requirements = requirementsOf(outer.get("deps").providers(outer.env), company, link);
  return formPage(c, { ...shown, typed, requirements, card, ...answer });
}
