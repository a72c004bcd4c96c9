import { createContext, useContext } from "hono/jsx";

/** Whether a field of the page has an error yet. Each page provides its own; fields are rendered from top to bottom. */
export const FirstErrorContext = createContext<{ isFound: boolean }>({ isFound: true });

/** Whether a field is the page's first wrong one. Only components call it, once for each field. */
export function useFirstError(isWrong: boolean): boolean {
  const page = useContext(FirstErrorContext);
  if (!isWrong || page.isFound) return false;
  page.isFound = true;
  return true;
}
