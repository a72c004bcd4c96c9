/** How the client id of each application begins. */
export const APPLICATION_PREFIX = "app_";
/** How the id of each person begins who acts in a company. */
export const PERSON_PREFIX = "person_";

/** Whether a client id in a chain is an operator's: every other one is an application's or a person's. */
export function isOperatorId(clientId: string): boolean {
  return !clientId.startsWith(APPLICATION_PREFIX) && !clientId.startsWith(PERSON_PREFIX);
}

/** Whether a client id is an application's. */
export function isApplicationId(clientId: string): boolean {
  return clientId.startsWith(APPLICATION_PREFIX);
}
