import { createMiddleware } from "hono/factory";
import { isPermitted, type OperatorPermission } from "../../../domain/access/operator.ts";
import { SCOPES_OF_PERSON_ROLE } from "../../../domain/access/person.ts";
import type { Scope } from "../../../domain/shared/company.ts";
import type { ConsoleEnv } from "../context.ts";
import { forbiddenPage } from "../ui/error-pages.tsx";

/** The scope that each guard asks for: the routes' own list of who may open what. */
const scopeOfGuard = new WeakMap<object, Scope>();

/** Admits a person whose role has the scope, after `requirePerson`; answers all others a page with 403. */
export function requirePermission(scope: Scope) {
  const guard = createMiddleware<ConsoleEnv>(async (c, next) => {
    if (!SCOPES_OF_PERSON_ROLE[c.get("person").role].includes(scope)) return forbiddenPage(c);
    await next();
  });
  scopeOfGuard.set(guard, scope);
  return guard;
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
