/** The archive's files that expire: the bucket's lifecycle rule has this prefix, and no file that must stay may. */
export const CHANGES_PREFIX = "changes/";
/** Days after which they do: D1 can be taken back by 30. */
export const DAYS_KEPT = 35;
