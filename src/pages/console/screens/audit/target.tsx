import type { listAuditEntries } from "../../../../api/audit/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import { fill, useTexts } from "../../texts.ts";

export type AuditEntry = RouteBody<typeof listAuditEntries>["items"][number];

/** Where a company's people see a target, by its kind. */
const PAGES: Record<string, string> = {
  transaction: "/console/payments",
  withdraw: "/console/withdraws",
  dispute: "/console/disputes",
  application: "/console/keys",
  endpoint: "/console/webhooks/endpoints",
};
/** What a person reads: a number, or a masked document. */
const READABLE = /^(?:\d+|\*.*)$/;

/** What an entry was done to, in words: its kind with its name or number. A company's own entries lead to its page. */
export function Target({ entry, isOwn }: { entry: AuditEntry; isOwn: boolean }) {
  const labels = useTexts().audit;
  const { kind, id } = partsOf(entry.target);
  const word = (labels.targets as Record<string, string>)[kind] ?? kind;
  const name = nameOf(entry) ?? (READABLE.test(id) ? id : null);
  const shown = name === null ? word : fill(labels.targetNamed, { kind: word, name });
  const page = isOwn ? PAGES[kind] : undefined;
  return page === undefined ? (
    <>{shown}</>
  ) : (
    <a href={`${page}/${encodeURIComponent(id)}`}>{shown}</a>
  );
}

/** What was done, in words, with its object where the target is of another kind; its code where it has none. */
export function Action({ entry }: { entry: AuditEntry }) {
  const { targets, verbs, actionOf } = useTexts().audit;
  const at = entry.action.indexOf(".");
  const noun = entry.action.slice(0, at);
  const verb = (verbs as Record<string, string>)[entry.action.slice(at + 1)];
  if (verb === undefined) return <code>{entry.action}</code>;
  const object = (targets as Record<string, string>)[noun];
  const { kind } = partsOf(entry.target);
  if (object === undefined || noun === kind) return <>{verb}</>;
  return <>{fill(actionOf, { object, verb })}</>;
}

/** `application:app_1 key:3` is of the application. */
function partsOf(target: string): { kind: string; id: string } {
  const [first = ""] = target.split(" ");
  const at = first.indexOf(":");
  return at < 0 ? { kind: first, id: "" } : { kind: first.slice(0, at), id: first.slice(at + 1) };
}

/** The name that the target has or had. */
function nameOf({ before, after }: AuditEntry): string | null {
  const name = after?.["name"] ?? before?.["name"];
  return typeof name === "string" && name !== "" ? name : null;
}
