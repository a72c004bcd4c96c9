/** Words that no Portuguese sentence has. */
export const ENGLISH =
  /\b(?:the|must|is|are|not|this|that|please|with|of|and|cannot|your|invalid|required|fields?)\b/i;
