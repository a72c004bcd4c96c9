import { HTTPException } from "hono/http-exception";
import { Problem } from "../../../domain/shared/problem.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { loggedPath } from "../../../http/tracing.ts";
import type { ConsoleContext } from "../context.ts";
import { fill, textsOf, useTexts } from "../texts.ts";
import { plainPage } from "./layout.tsx";

/** A page that does not exist, or that the person's role does not show. */
export function notFoundPage(c: ConsoleContext) {
  const { errors } = textsOf(c);
  return plainPage(c, { title: errors.notFound, status: 404 }, <BackLink />);
}

/** A page or an action that the person's role does not have. */
export function forbiddenPage(c: ConsoleContext) {
  const { errors } = textsOf(c);
  return plainPage(c, { title: errors.forbidden, status: 403 }, <BackLink />);
}

/** A form that cannot be read: too large, broken, or none at all. */
export function refusedPostPage(c: ConsoleContext, status: 400 | 413 | 415) {
  const { refusals } = textsOf(c);
  const title = status === 413 ? refusals.tooLarge : refusals.unreadable;
  return plainPage(c, { title, status }, <BackLink />);
}

/** A form of one company, sent after the person changed to another; at a shared counter, of one person after another. */
export function staleFormPage(c: ConsoleContext) {
  const { refusals } = textsOf(c);
  const [title, what] =
    c.get("device") === undefined
      ? [refusals.otherCompany, refusals.nothingDone]
      : [refusals.otherCashier, refusals.otherCashierWhat];
  return plainPage(
    c,
    { title, status: 409 },
    <>
      <p>{what}</p>
      <BackLink />
    </>,
  );
}

/** A person who may open no company: invited to none, or removed from all. */
export function noCompanyPage(c: ConsoleContext) {
  const { errors, shell } = textsOf(c);
  return plainPage(
    c,
    { title: errors.noCompany, status: 403 },
    <form method="post" action="/console/sign-out">
      <button type="submit">{shell.signOut}</button>
    </form>,
  );
}

/** An error of ours, or a form from another site. The log has the error, the page its trace id. */
export function errorPage(error: Error, c: ConsoleContext) {
  const { errors } = textsOf(c);
  if (error instanceof HTTPException && error.status === 403) {
    return forbiddenPage(c);
  }
  if (error instanceof Problem && error.details.code === "TOO_MANY_REQUESTS") {
    const { retryAfterSeconds = 60, headers = {} } = error.details;
    c.header("Retry-After", String(retryAfterSeconds));
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    return plainPage(c, { title: errors.tooMany, status: 429 }, <p>{errors.tooManyWait}</p>);
  }
  if (error instanceof Problem && error.details.code === "NOT_FOUND") return notFoundPage(c);
  const traceId = c.env.outer.get("traceId");
  log("error", "console_failed", { ...errorFields(error), traceId, path: loggedPath(c.req.path) });
  return plainPage(
    c,
    { title: errors.failed, status: 500 },
    <>
      <p>{fill(errors.failedTrace, { traceId })}</p>
      <BackLink />
    </>,
  );
}

function BackLink() {
  const { back } = useTexts().errors;
  return (
    <p>
      <a href="/console">{back}</a>
    </p>
  );
}
