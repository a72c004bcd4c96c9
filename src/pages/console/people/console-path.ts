/** Any origin: only whether a path stays on it matters. */
const ORIGIN = "https://console.invalid";

/** A path that a form or address named, if it is a page of the console; else the first page. */
export function consolePath(path: string | undefined): string {
  const url = path?.startsWith("/console") === true ? URL.parse(path, ORIGIN) : null;
  if (url === null || url.origin !== ORIGIN) return "/console";
  const isConsole = url.pathname === "/console" || url.pathname.startsWith("/console/");
  return isConsole ? url.pathname + url.search : "/console";
}
