import { GROUNDS } from "./brand-tones.ts";

/**
 * The style sheet of the payer's pages. `brand-*.css` after it may set the accent. Payers have old phones, so it
 * keeps to what browsers have known for years.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: ${GROUNDS.light};
  --raised: #f3f6f5;
  --line: #7c8a84;
  --text: #15201c;
  --quiet: #51615a;
  --accent: #0b6b4f;
  --wait-ground: #fbf1dc;
  --on-accent: var(--ground);
  --good: #0b6b4f;
  --bad: #a3221c;
  --wait: #7a5200;
  font: 17px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: ${GROUNDS.dark};
    --raised: #1d2327;
    --text: #e8eeeb;
    --quiet: #a4b3ac;
    --accent: #5fd3ae;
    --good: #6fdcb6;
    --bad: #ff9d94;
    --wait: #f0c36a;
    --wait-ground: #362b14;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); }
.payee, main { max-width: 26rem; margin: 0 auto; padding: 0.75rem 1rem; }
.payee { display: flex; gap: 0.6rem; align-items: center; font-weight: 700; overflow-wrap: anywhere; min-height: 3.5rem; }
header { border-bottom: 3px solid var(--accent); }
header img { max-width: 6rem; max-height: 2.5rem; display: block; }
main { display: grid; gap: 0.9rem; }
main > *, .code-box { min-width: 0; margin: 0; }
main:focus { outline: none; }
h1 { font-size: 1.3rem; line-height: 1.25; margin: 0; }
h1 + p { margin-top: 0.5rem; }
h2 { font-size: 1.05rem; margin: 0.5rem 0 0; }
p { margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.amount { font-size: 2rem; font-weight: 700; line-height: 1.15; font-variant-numeric: tabular-nums; }
.quiet { color: var(--quiet); font-size: 0.92rem; }
.time { font-variant-numeric: tabular-nums; font-weight: 700; }
.test { background: var(--wait-ground); color: var(--wait); text-align: center; padding: 0.4rem 1rem; font-weight: 600; }
.mark { width: 3.5rem; height: 3.5rem; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.mark.good { color: var(--good); }
.mark.bad { color: var(--bad); }
.mark.wait { color: var(--wait); }
.qr { background: #fff; padding: 0.5rem; border: 1px solid var(--line); border-radius: 0.5rem; width: min(100%, 20rem); justify-self: center; }
.qr svg { display: block; width: 100%; height: auto; shape-rendering: crispEdges; }
button, .button { font: inherit; font-weight: 700; min-height: 3rem; width: 100%; padding: 0.6rem 1rem; border-radius: 0.5rem; border: 2px solid var(--accent); background: var(--ground); color: var(--accent); text-align: center; text-decoration: none; cursor: pointer; display: block; }
button.primary, .button.primary { background: var(--accent); color: var(--on-accent); }
.code { display: block; width: 100%; font: 0.85rem/1.4 ui-monospace, monospace; color: inherit; overflow-wrap: anywhere; -webkit-user-select: all; user-select: all; background: var(--raised); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.6rem; max-height: 8.5rem; overflow: auto; }
.code-box { display: grid; gap: 0.6rem; }
ol { margin: 0; padding-left: 1.3rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.3rem 1rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
input, textarea, select { font: inherit; font-weight: 400; color: inherit; width: 100%; padding: 0.6rem; min-height: 3rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; }
.notice { padding: 0.75rem 1rem; border-radius: 0.5rem; background: light-dark(#fbf1dc, #362b14); }
.notice.good { background: light-dark(#e2f4ec, #17332a); }
.notice.bad { background: light-dark(#fbe9e7, #3b1e1c); }
form { display: grid; gap: 1rem; }
fieldset { border: 0; margin: 0; padding: 0; display: grid; gap: 0.5rem; min-width: 0; }
legend { font-weight: 700; padding: 0; margin-bottom: 0.3rem; }
.fields { display: grid; gap: 0.8rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0.8rem; align-items: start; }
.chosen { display: grid; gap: 0.5rem; }
label { display: grid; gap: 0.25rem; font-weight: 600; }
label.choice { grid-template-columns: auto 1fr; gap: 0.7rem; align-items: center; min-height: 3rem; padding: 0.4rem 0.8rem; border: 1px solid var(--line); border-radius: 0.5rem; font-weight: 400; }
label.choice:has(:checked) { border: 2px solid var(--accent); font-weight: 700; }
input[type="radio"] { width: 1.3rem; min-height: 1.3rem; accent-color: var(--accent); }
[aria-invalid="true"] { border: 2px solid var(--bad); }
.wrong { color: var(--bad); font-weight: 600; }
footer { color: var(--quiet); font-size: 0.85rem; }
`;
