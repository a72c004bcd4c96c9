import type { ConsoleContext } from "./context.ts";

/** The fields of a posted form; a file or an absent field is "". */
export async function formOf(c: ConsoleContext): Promise<(name: string) => string> {
  const fields = await c.req.parseBody();
  return (name) => {
    const value = fields[name];
    return typeof value === "string" ? value : "";
  };
}
