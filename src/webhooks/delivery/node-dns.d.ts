/** What is used of Node's module in Workers; `@types/node` would bring all of Node's globals. */
declare module "node:dns/promises" {
  export function resolve4(host: string): Promise<string[]>;
  export function resolve6(host: string): Promise<string[]>;
}
