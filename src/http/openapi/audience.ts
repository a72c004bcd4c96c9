import type { Document } from "./examples/complete.ts";

/** Who reads a document: who charges, or who runs the gateway. */
export const AUDIENCES = ["merchant", "operator"] as const;
export type Audience = (typeof AUDIENCES)[number];

/** The tags of what no company's key opens. */
const OPERATOR_TAGS = new Set(["Operator", "Provider callbacks"]);

const COMPONENT = /^#\/components\/(\w+)\/(.+)$/;

type Components = Record<string, Record<string, object>>;

/** The document with one audience's operations, their tags, and the components that they need. Webhooks are the merchant's. */
export function documentFor(audience: Audience, whole: Document): Document {
  const isForOperator = audience === "operator";
  const isOwn = ({ tags = [] }: { tags?: string[] }) =>
    tags.some((tag) => OPERATOR_TAGS.has(tag)) === isForOperator;
  const paths = Object.fromEntries(
    Object.entries(whole.paths)
      .map(([path, item]) => [
        path,
        Object.fromEntries(Object.entries(item).filter(([, operation]) => isOwn(operation))),
      ])
      .filter(([, item]) => Object.keys(item as object).length > 0),
  ) as Document["paths"];
  const webhooks = isForOperator ? {} : whole.webhooks;
  const used = new Set(
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => operation.tags ?? []),
    ),
  );
  return {
    ...whole,
    tags: whole.tags.filter(({ name }) => used.has(name)),
    paths,
    webhooks,
    components: componentsOf(whole, { paths, webhooks }),
  };
}

/** The components that a part refers to, directly or through others, and all ways to authenticate. */
function componentsOf(whole: Document, part: object): Document["components"] {
  // Its type names each kind with the shape of its own; here only the names of the members count.
  const all = whole.components as unknown as Components;
  const needed = referencesIn(part);
  for (const reference of needed) {
    const [, kind = "", name = ""] = COMPONENT.exec(reference) ?? [];
    for (const further of referencesIn(all[kind]?.[name] ?? {})) needed.add(further);
  }
  return Object.fromEntries(
    Object.entries(all).map(([kind, members]) => [
      kind,
      kind === "securitySchemes"
        ? members
        : Object.fromEntries(
            Object.entries(members).filter(([name]) => needed.has(`#/components/${kind}/${name}`)),
          ),
    ]),
  ) as unknown as Document["components"];
}

function referencesIn(part: object): Set<string> {
  const found = JSON.stringify(part).matchAll(/"(#\/components\/\w+\/[^"]+)"/g);
  return new Set(Array.from(found, ([, reference = ""]) => reference));
}
