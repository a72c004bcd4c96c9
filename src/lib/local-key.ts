/**
 * Opens the secrets of a local database only: 32 bytes in base64. A deployed environment without
 * its own key refuses to start, and so does one that is given this one.
 */
export const LOCAL_SECRETS_KEY = "Y2VudGF2by1sb2NhbC1kZXZlbG9wbWVudC1rZXktMDE=";

/** Lets the operator in on this machine only; a deployed environment that is given it refuses to start. */
export const LOCAL_OPERATOR_KEY = "sk_test_local_operator_of_this_machine";

/** The same for the second operator, who agrees to what the first one proposes. */
export const LOCAL_APPROVER_KEY = "sk_test_local_approver_of_this_machine";
