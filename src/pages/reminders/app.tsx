import { Hono } from "hono";
import { findForPayer } from "../../api/checkout/payer.ts";
import type { PayersTransaction } from "../../api/checkout/repository.ts";
import { stopReminders } from "../../api/emails/stop-reminders.ts";
import { NO_BRAND } from "../../domain/shared/company.ts";
import type { AppContext } from "../../http/context.ts";
import type { CheckoutContext, CheckoutEnv } from "../checkout/context.ts";
import { failedPage, notFoundPage } from "../checkout/errors.tsx";
import { textsOf } from "../checkout/texts.ts";
import { payersPage } from "../checkout/ui/headers.ts";
import { page } from "../checkout/ui/layout.tsx";
import { fill } from "../shared/language.ts";

const PATH = "/reminders/stop/:secureId";

const remindersApp = new Hono<CheckoutEnv>();
remindersApp.use(payersPage);
remindersApp.get(PATH, async (c) => {
  const found = await findForPayer(c.env.outer.env, c.req.param("secureId"));
  return found === null ? notFoundPage(c) : stopPage(c, found, false);
});
// The one click of a mail program (RFC 8058) as well as the page's button: neither has a session.
remindersApp.post(PATH, async (c) => {
  const { outer } = c.env;
  const found = await findForPayer(outer.env, c.req.param("secureId"));
  if (found === null) return notFoundPage(c);
  await stopReminders(outer.env, outer.get("deps"), found);
  return stopPage(c, found, true);
});
remindersApp.notFound(notFoundPage);
remindersApp.onError(failedPage);

function stopPage(c: CheckoutContext, { payee }: PayersTransaction, isStopped: boolean) {
  const { reminders } = textsOf(c);
  const brand = { ...NO_BRAND, ...payee.brand, name: payee.brand?.name ?? payee.name };
  const values = { name: brand.name };
  const isTest = payee.mode === "sandbox";
  return page(
    c,
    { title: reminders.title, brand, isTest, hasForm: !isStopped },
    <main>
      <h1>{reminders.title}</h1>
      {isStopped ? (
        <p class="notice good" role="status">
          {fill(reminders.stopped, values)}
        </p>
      ) : (
        <form method="post">
          <p>{fill(reminders.about, values)}</p>
          <button class="primary" type="submit">
            {reminders.stop}
          </button>
        </form>
      )}
    </main>,
  );
}

/** The answer to a request for the page that ends a payer's reminders. */
export async function serveReminders(outer: AppContext): Promise<Response> {
  return remindersApp.fetch(outer.req.raw, { outer });
}
