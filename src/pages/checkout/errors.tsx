import { Problem } from "../../domain/shared/problem.ts";
import { loggedPath } from "../../http/tracing.ts";
import { errorFields, log } from "../../lib/log.ts";
import { fill } from "../shared/language.ts";
import type { CheckoutContext } from "./context.ts";
import { textsOf } from "./texts.ts";
import { page } from "./ui/layout.tsx";

/** A charge that does not exist, or an address that never was one's. */
export function notFoundPage(c: CheckoutContext) {
  const { errors } = textsOf(c);
  return errorPage(c, 404, errors.notFound, errors.notFoundText);
}

/** An error of ours, or storage that does not answer. The log has the error, the page its trace id. */
export function failedPage(error: Error, c: CheckoutContext) {
  const { errors } = textsOf(c);
  const traceId = c.env.outer.get("traceId");
  log("error", "checkout_failed", {
    ...errorFields(error),
    traceId,
    path: loggedPath(c.req.path),
  });
  const isUnavailable = error instanceof Problem && error.details.code === "STORAGE_UNAVAILABLE";
  const status = isUnavailable ? 503 : 500;
  return errorPage(c, status, errors.failed, fill(errors.failedText, { traceId }));
}

function errorPage(c: CheckoutContext, status: 404 | 500 | 503, title: string, text: string) {
  return page(
    c,
    { title, brand: null, status },
    <main>
      <h1>{title}</h1>
      <p>{text}</p>
    </main>,
  );
}
