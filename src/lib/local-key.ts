/**
 * Decrypts the secrets of a local database: 32 bytes in base64. A deployed environment refuses to start
 * without a key and with this one.
 */
export const LOCAL_SECRETS_KEY = "Y2VudGF2by1sb2NhbC1kZXZlbG9wbWVudC1rZXktMDE=";
