/** The used part of Node's module in Workers. `@types/node` would add all of Node's globals. */
declare module "node:dns/promises" {
  export function resolve4(host: string): Promise<string[]>;
  export function resolve6(host: string): Promise<string[]>;
}
