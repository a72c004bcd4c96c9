import type { ConsoleContext } from "./context.ts";
import type { TypedText } from "../../http/openapi/route-types.ts";

/** Marks a text as typed by a person: a route takes it for any value, and says what is wrong with it. */
export function asTyped(text: string): TypedText {
  return text as TypedText;
}

/** As `asTyped`; undefined for an empty or absent field, which is then not sent. */
export function ifTyped(text: string | undefined): TypedText | undefined {
  return text === undefined || text === "" ? undefined : asTyped(text);
}

/** The fields of a posted form; a file or an absent field is "". */
export async function formOf(c: ConsoleContext): Promise<(name: string) => string> {
  const fields = await c.req.parseBody();
  return (name) => {
    const value = fields[name];
    return typeof value === "string" ? value : "";
  };
}
