import { createMiddleware } from "hono/factory";
import { isPermitted, type OperatorPermission } from "../../../domain/operators/operator.ts";
import { SCOPES_OF_PERSON_ROLE } from "../../../domain/access/person.ts";
import type { Scope } from "../../../domain/shared/company.ts";
import type { ConsoleContext, ConsoleEnv } from "../context.ts";
import { forbiddenPage, staleFormPage } from "../ui/error-pages.tsx";

/** The field by which each form names the company that it was shown for, and at a shared counter the person. */
const SHOWN_FOR = "shownCompany";

/** The scope that each guard asks for: the routes' own list of who may open what. */
const scopeOfGuard = new WeakMap<object, Scope>();

/**
 * Admits a person whose role has the scope, after `requireMember`; answers all others a page with 403. A form acts
 * only in the company that it was shown for (409): another tab may have changed to another one meanwhile. At a shared
 * counter it acts only for the person whom it was shown to.
 */
export function requirePermission(scope: Scope) {
  const guard = createMiddleware<ConsoleEnv>(async (c, next) => {
    if (!SCOPES_OF_PERSON_ROLE[c.get("person").role].includes(scope)) return forbiddenPage(c);
    if (c.req.method === "POST" && !(await isStillFor(c))) return staleFormPage(c);
    await next();
    nameWhomFormsAreFor(c);
  });
  scopeOfGuard.set(guard, scope);
  return guard;
}

/** The company; at a shared counter also who is at it. */
function shownFor(c: ConsoleContext): string {
  const { companyId, userId } = c.get("person");
  return c.get("device") === undefined ? String(companyId) : `${companyId}:${userId}`;
}

async function isStillFor(c: ConsoleContext): Promise<boolean> {
  const { [SHOWN_FOR]: shown } = await c.req.parseBody();
  return shown === undefined || shown === shownFor(c);
}

function nameWhomFormsAreFor(c: ConsoleContext): void {
  if (!(c.res.headers.get("Content-Type") ?? "").startsWith("text/html")) return;
  const field = `<input type="hidden" name="${SHOWN_FOR}" value="${shownFor(c)}">`;
  c.res = new HTMLRewriter()
    .on('form[method="post"]', {
      element: (form) => {
        form.prepend(field, { html: true });
      },
    })
    .transform(c.res);
}

/** The scope that a route's handler guards; undefined for a handler that is no guard. */
export function scopeGuardedBy(handler: object): Scope | undefined {
  return scopeOfGuard.get(handler);
}

/** The permission that each operator's guard asks for. */
const permissionOfGuard = new WeakMap<object, OperatorPermission>();

/** Admits an operator whose role has the permission, after `requireOperatorPerson`; else a page with 403. */
export function requireOperatorPermission(permission: OperatorPermission) {
  const guard = createMiddleware<ConsoleEnv>(async (c, next) => {
    const operator = c.get("operator");
    if (operator === undefined || !isPermitted(operator, permission)) return forbiddenPage(c);
    await next();
  });
  permissionOfGuard.set(guard, permission);
  return guard;
}

/** The permission that a route's handler guards; undefined for a handler that is no operator's guard. */
export function permissionGuardedBy(handler: object): OperatorPermission | undefined {
  return permissionOfGuard.get(handler);
}
