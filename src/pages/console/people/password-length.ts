/** The shortest password that a person may choose. */
export const PASSWORD_MIN = 12;
/** The longest. */
export const PASSWORD_MAX = 128;
