import { GROUNDS } from "../../../domain/shared/brand.ts";

/** The style sheet of the payer's pages. `brand-*.css` after it may set the accent. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(${GROUNDS.light}, ${GROUNDS.dark});
  --raised: light-dark(#f3f6f5, #1d2327);
  --line: light-dark(#7c8a84, #7c8a84);
  --text: light-dark(#15201c, #e8eeeb);
  --quiet: light-dark(#51615a, #a4b3ac);
  --accent: light-dark(#0b6b4f, #5fd3ae);
  --on-accent: var(--ground);
  --good: light-dark(#0b6b4f, #6fdcb6);
  --bad: light-dark(#a3221c, #ff9d94);
  --wait: light-dark(#7a5200, #f0c36a);
  font: 17px/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); }
header, main, footer { max-width: 26rem; margin: 0 auto; padding: 0.75rem 1rem; }
header { display: flex; gap: 0.6rem; align-items: center; font-weight: 700; overflow-wrap: anywhere; border-bottom: 3px solid var(--accent); min-height: 3.5rem; }
header img { max-width: 6rem; max-height: 2.5rem; display: block; }
main { display: grid; gap: 0.9rem; }
main > *, .code-box { min-width: 0; margin: 0; }
main:focus { outline: none; }
h1 { font-size: 1.3rem; line-height: 1.25; }
h2 { font-size: 1.05rem; margin: 0.5rem 0 0; }
p { margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.amount { font-size: 2rem; font-weight: 700; line-height: 1.15; font-variant-numeric: tabular-nums; }
.quiet { color: var(--quiet); font-size: 0.92rem; }
.time { font-variant-numeric: tabular-nums; font-weight: 700; }
.test { background: light-dark(#fbf1dc, #362b14); color: var(--wait); text-align: center; padding: 0.4rem 1rem; font-weight: 600; }
.mark { width: 3.5rem; height: 3.5rem; border-radius: 50%; border: 3px solid currentColor; display: grid; place-items: center; font-size: 1.7rem; font-weight: 700; line-height: 1; }
.mark.good { color: var(--good); }
.mark.bad { color: var(--bad); }
.mark.wait { color: var(--wait); }
.qr { background: #fff; padding: 0.5rem; border: 1px solid var(--line); border-radius: 0.5rem; width: min(100%, 20rem); justify-self: center; }
.qr svg { display: block; width: 100%; height: auto; shape-rendering: crispEdges; }
button, .button { font: inherit; font-weight: 700; min-height: 3rem; width: 100%; padding: 0.6rem 1rem; border-radius: 0.5rem; border: 2px solid var(--accent); background: var(--ground); color: var(--accent); text-align: center; text-decoration: none; cursor: pointer; display: block; }
button.primary, .button.primary { background: var(--accent); color: var(--on-accent); }
.code { display: block; width: 100%; font: 0.85rem/1.4 ui-monospace, monospace; color: inherit; overflow-wrap: anywhere; user-select: all; background: var(--raised); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.6rem; max-height: 8.5rem; overflow: auto; }
.code-box { display: grid; gap: 0.6rem; }
ol { margin: 0; padding-left: 1.3rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.3rem 1rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
form { display: grid; gap: 1rem; }
fieldset { border: 0; margin: 0; padding: 0; display: grid; gap: 0.5rem; min-width: 0; }
legend { font-weight: 700; padding: 0; margin-bottom: 0.3rem; }
label { display: grid; gap: 0.25rem; font-weight: 600; }
label.choice { grid-template-columns: auto 1fr; gap: 0.7rem; align-items: center; min-height: 3rem; padding: 0.4rem 0.8rem; border: 1px solid var(--line); border-radius: 0.5rem; font-weight: 400; }
label.choice:has(:checked) { border: 2px solid var(--accent); font-weight: 700; }
input { font: inherit; color: inherit; background: var(--ground); min-height: 3rem; width: 100%; padding: 0.5rem 0.8rem; border: 1px solid var(--line); border-radius: 0.5rem; }
input[type="radio"] { width: 1.3rem; min-height: 1.3rem; accent-color: var(--accent); }
[aria-invalid="true"] { border: 2px solid var(--bad); }
.wrong { color: var(--bad); font-weight: 600; }
footer { color: var(--quiet); font-size: 0.85rem; }
`;
