import { isPermitted, type OperatorPermission } from "../../../domain/operators/operator.ts";
import type { Scope } from "../../../domain/shared/company.ts";
import type { ApiProblem } from "../api.ts";
import type { ConsoleContext } from "../context.ts";
import { page } from "../ui/layout.tsx";
import { has } from "../ui/menu.ts";
import { ProblemNotice } from "../ui/parts.tsx";

export type Form = Record<string, string>;
type PageStatus = NonNullable<Parameters<typeof page>[1]["status"]>;

/** The text fields of a posted form. */
export async function formOf(c: ConsoleContext): Promise<Form> {
  const fields = Object.entries(await c.req.parseBody());
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === "string" ? value : ""]),
  );
}

/** Whether the person's role has a scope: a button for what it may not do is not shown. */
export function may(c: ConsoleContext, scope: Scope): boolean {
  return has(scope)(c.get("person"));
}

/** Whether the operator's role has a permission, on an operator's page. */
export function mayAsOperator(c: ConsoleContext, permission: OperatorPermission): boolean {
  const operator = c.get("operator");
  return operator !== undefined && isPermitted(operator, permission);
}

/** The API's status as that of a page. */
export function pageStatus({ status }: { status: number }): PageStatus {
  return status as PageStatus;
}

/** A page that says what the API refused, with its status. */
export function refusalPage(
  c: ConsoleContext,
  { title, active }: { title: string; active: string },
  answer: { status: number; body: ApiProblem },
) {
  return page(
    c,
    { title, active, status: pageStatus(answer) },
    <ProblemNotice problem={answer.body} />,
  );
}

/** A file that the API answered, as a download. */
export function download(
  { body }: { body: ReadableStream | null },
  { type, name }: { type: string; name: string },
): Response {
  return new Response(body, {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` },
  });
}

/** A text as a QR code in PNG, as a download. */
export async function qrDownload(text: string, name: string): Promise<Response> {
  const { qrPng } = await import("../../../lib/symbols/qr-image.ts");
  const { body } = new Response(await qrPng(text));
  return download({ body }, { type: "image/png", name });
}

/**
 * The idempotency key of a form that is shown again. After an answer of 500 or more the action may have happened,
 * so the next try keeps the key; a refusal is final for its key.
 */
export function nextKey(form: Form, status: number): string {
  const { idempotencyKey = "" } = form;
  return status >= 500 && idempotencyKey !== "" ? idempotencyKey : crypto.randomUUID();
}

/** A form's idempotency key as an input of `callRoute`. */
export function keyOf({ idempotencyKey }: Form): { idempotencyKey?: string } {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}
