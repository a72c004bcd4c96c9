/** The mark, a coin with the sign of a cent, in 32 units. */
export const MARK_SHAPES =
  '<circle cx="16" cy="16" r="15" fill="#0b6b4f"/>' +
  '<circle cx="16" cy="16" r="12" fill="none" stroke="#5fd3ae" stroke-width="1"/>' +
  '<path d="M20.5 12a6 6 0 1 0 0 8M16 6.5v19" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/>';

/** The mark alone, as the icon of a page. */
export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARK_SHAPES}</svg>`;
