import { OPERATOR_CLIENT_ID } from "../../src/http/auth.ts";
import { LOCAL_OPERATOR_KEY } from "../../src/lib/local-key.ts";

/** What lets a test in as the operator of the gateway. */
export const OPERATOR_CREDENTIALS = {
  "X-Client-Id": OPERATOR_CLIENT_ID,
  "X-API-Key": LOCAL_OPERATOR_KEY,
};
