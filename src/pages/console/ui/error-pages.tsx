import { HTTPException } from "hono/http-exception";
import { errorFields, log } from "../../../lib/log.ts";
import type { ConsoleContext } from "../context.ts";
import { fill, textsOf } from "../texts.ts";
import { plainPage } from "./layout.tsx";

/** A page that does not exist, or that the person's role does not show. */
export function notFoundPage(c: ConsoleContext) {
  const { errors } = textsOf(c);
  return plainPage(c, { title: errors.notFound, status: 404 }, <BackLink text={errors.back} />);
}

/** A page or an action that the person's role does not have. */
export function forbiddenPage(c: ConsoleContext) {
  const { errors } = textsOf(c);
  return plainPage(c, { title: errors.forbidden, status: 403 }, <BackLink text={errors.back} />);
}

/** An error of ours, or a form from another site. The log has the error, the page its trace id. */
export function errorPage(error: Error, c: ConsoleContext) {
  const { errors } = textsOf(c);
  if (error instanceof HTTPException && error.status === 403) {
    return forbiddenPage(c);
  }
  const traceId = c.env.outer.get("traceId");
  log("error", "console_failed", { ...errorFields(error), traceId, path: c.req.path });
  return plainPage(
    c,
    { title: errors.failed, status: 500 },
    <>
      <p>{fill(errors.failedTrace, { traceId })}</p>
      <BackLink text={errors.back} />
    </>,
  );
}

function BackLink(props: { text: string }) {
  return (
    <p>
      <a href="/console">{props.text}</a>
    </p>
  );
}
