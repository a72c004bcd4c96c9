/** The version of the package, which is that of the API. */
export const VERSION = "0.1.0";

/** What is deployed: the package's version, and the commit that `npm run deploy` names; `local` without one. */
export function versionOf({ COMMIT = "local" }: { COMMIT?: string }) {
  return { version: VERSION, commit: COMMIT };
}
