/**
 * Decrypts the secrets of a local database: 32 bytes in base64. A deployed environment refuses to start
 * without a key and with this one.
 */
export const LOCAL_SECRETS_KEY = "Y2VudGF2by1sb2NhbC1kZXZlbG9wbWVudC1rZXktMDE=";

/** The operator's key on this machine. A deployed environment refuses to start with it. */
export const LOCAL_OPERATOR_KEY = "sk_test_local_operator_of_this_machine";

/** The key of the second operator on this machine, who approves proposals. */
export const LOCAL_APPROVER_KEY = "sk_test_local_approver_of_this_machine";
