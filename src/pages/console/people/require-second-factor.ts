import { createMiddleware } from "hono/factory";
import { SCOPES_OF_PERSON_ROLE } from "../../../domain/access/person.ts";
import type { ConsoleContext, ConsoleEnv } from "../context.ts";
import { keepForm, restoreForm } from "../kept-form.ts";
import { confirmPage } from "../screens/sign-in/pages.tsx";
import { consolePath } from "./console-path.ts";

/** How long a proof of the second factor counts for what moves money, keys, policies or personal data. */
const FRESH_MS = 5 * 60_000;

/** Puts a form that waited for the second factor back into its request, for a route that reads it before it asks. */
export const restoreKeptForm = createMiddleware<ConsoleEnv>(async (c, next) =>
  (await restoreForm(c)) ? next() : c.redirect("/console", 303),
);

/**
 * Asks for the second factor again when the last proof in this session is older than 5 minutes, and goes on
 * afterwards. After `requireMember`, before the page with the form and before its action. A form that is sent late is
 * kept, sealed, and sent once the person has proved; one that cannot be kept leads back to its page.
 */
export const requireFreshSecondFactor = createMiddleware<ConsoleEnv>(async (c, next) => {
  if (!(await restoreForm(c))) return c.redirect("/console", 303);
  const { secondFactorAt } = c.get("session");
  const now = c.env.outer.get("deps").platformClock.now();
  if (secondFactorAt !== null && now - secondFactorAt < FRESH_MS) return next();
  const page = pageOf(c);
  const kept = await keepForm(c, page);
  return kept === null
    ? c.redirect(`/console/confirm?next=${encodeURIComponent(page)}`, 303)
    : confirmPage(c, { next: page, kept, status: 401 });
});

/** As `requireFreshSecondFactor`, for files that show personal data to whoever may read it, and masks to the others. */
export const requireFreshForPersonalData = createMiddleware<ConsoleEnv>((c, next) =>
  SCOPES_OF_PERSON_ROLE[c.get("person").role].includes("pii:read")
    ? requireFreshSecondFactor(c, next)
    : next(),
);

/**
 * As `requireFreshSecondFactor`; a person whose first second factor this will be gave the password in the last 5
 * minutes, at the sign-in or again.
 */
export const requireFreshUnlessFirst = createMiddleware<ConsoleEnv>((c, next) => {
  const { hasSecondFactor, beganAt } = c.get("session");
  const isNew = c.env.outer.get("deps").platformClock.now() - beganAt < FRESH_MS;
  return !hasSecondFactor && isNew ? next() : requireFreshSecondFactor(c, next);
});

/** The page a person is on: of a form, the one that showed it. */
function pageOf(c: ConsoleContext): string {
  const { pathname, search, origin } = new URL(c.req.url);
  if (c.req.method === "GET") return pathname + search;
  const from = URL.parse(c.req.header("Referer") ?? "");
  return consolePath(from?.origin === origin ? from.pathname + from.search : "");
}
