/** In SQL, a transaction's id as D1 stores it, of its text as a parameter. */
export const ID_OF_TEXT = "unhex(replace(?, '-', ''))";

/** In SQL, the text of a transaction's id out of its row. */
export const ID_AS_TEXT = `lower(concat_ws('-', substr(hex(id), 1, 8), substr(hex(id), 9, 4),
  substr(hex(id), 13, 4), substr(hex(id), 17, 4), substr(hex(id), 21)))`;
