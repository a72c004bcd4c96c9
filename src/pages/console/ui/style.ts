/** The console's only style sheet: tokens first, then elements, then the parts of `parts.tsx`. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f7f6, #0f1315);
  --ground: light-dark(#ffffff, #171c1f);
  --raised: light-dark(#eef2f0, #21282c);
  --line: light-dark(#d5dcd9, #39434a);
  --text: light-dark(#15201c, #e8eeeb);
  --quiet: light-dark(#51615a, #a4b3ac);
  --accent: light-dark(#0b6b4f, #5fd3ae);
  --on-accent: light-dark(#ffffff, #0c1a15);
  --good: light-dark(#0b6b4f, #6fdcb6);
  --bad: light-dark(#a3221c, #ff9d94);
  --open: light-dark(#7a5200, #f0c36a);
  --good-ground: light-dark(#e2f4ec, #17332a);
  --bad-ground: light-dark(#fbe9e7, #3b1e1c);
  --open-ground: light-dark(#fbf1dc, #362b14);
  --space: 1rem;
  --round: 0.5rem;
  font: 16px/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); }
a { color: var(--accent); text-underline-offset: 0.15em; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.1rem; margin: 0 0 0.5rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 0.5rem; top: 0.5rem; background: var(--ground); padding: 0.5rem; z-index: 2; }

.top { background: var(--ground); display: flex; flex-wrap: wrap; gap: 0.75rem var(--space); align-items: center; padding: 0.6rem var(--space); border-bottom: 1px solid var(--line); }
.brand { font-weight: 700; font-size: 1.15rem; color: var(--accent); text-decoration: none; }
.find { flex: 1 1 12rem; max-width: 32rem; }
.account { position: relative; }
.account summary { cursor: pointer; padding: 0.4rem; }
.account .company { display: block; color: var(--quiet); font-size: 0.85rem; }
.account-menu { position: absolute; right: 0; z-index: 1; min-width: 15rem; background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); padding: var(--space); display: grid; gap: 0.6rem; box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.15); }
.account-menu p { margin: 0; overflow-wrap: anywhere; }

.columns { display: grid; grid-template-columns: 13rem minmax(0, 1fr); min-height: calc(100vh - 4rem); }
.menu { background: var(--ground); border-right: 1px solid var(--line); padding: var(--space) 0.5rem; }
.menu ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.1rem; }
.menu > ul { gap: 0.9rem; position: sticky; top: var(--space); }
.menu-group { display: block; padding: 0 0.6rem 0.15rem; color: var(--quiet); font-size: 0.8rem; font-weight: 600; }
.menu a { display: block; padding: 0.3rem 0.6rem; border-radius: var(--round); color: var(--text); text-decoration: none; }
.menu a:hover { background: var(--raised); }
.menu a[aria-current] { background: var(--good-ground); color: var(--good); font-weight: 600; }
main { padding: 1.25rem; max-width: 76rem; min-width: 0; }
main:focus { outline: none; }
.heading { display: flex; flex-wrap: wrap; gap: var(--space); align-items: center; justify-content: space-between; margin-bottom: var(--space); }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.alone { max-width: 26rem; margin: 6vh auto; display: grid; gap: var(--space); }

input, select, textarea, button, .button { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: var(--round); padding: 0.5rem 0.7rem; background: var(--ground); max-width: 100%; }
input:not([type=checkbox], [type=radio]), select, textarea { width: 100%; border-color: light-dark(#7c8a84, #7c8a84); }
button, .button { cursor: pointer; background: var(--ground); text-decoration: none; display: inline-block; min-height: 2.6rem; }
button.primary, .button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.danger { border-color: var(--bad); color: var(--bad); font-weight: 600; }
button[aria-busy] { opacity: 0.6; }
label { font-weight: 600; display: block; margin-bottom: 0.2rem; }
.field { margin-bottom: 0.9rem; }
.hint { color: var(--quiet); font-size: 0.9rem; margin: 0.2rem 0 0; }
.error { color: var(--bad); margin: 0.2rem 0 0; }
form.action { max-width: 34rem; }
td form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; }
td form select { width: auto; flex: 1 1 8rem; }
form.filters { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: start; margin-bottom: var(--space); }
form.filters button { align-self: end; }
form.filters .field { margin: 0; flex: 1 1 9rem; }

.notice { border-radius: var(--round); padding: 0.75rem var(--space); margin-bottom: var(--space); }
.notice p { margin: 0; }
.notice.good { background: var(--good-ground); }
.notice.bad { background: var(--bad-ground); }
.notice.open { background: var(--open-ground); }
.badge { display: inline-block; padding: 0.05rem 0.5rem; border-radius: 1rem; font-size: 0.85rem; font-weight: 600; background: var(--raised); color: var(--quiet); white-space: nowrap; }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }
.badge.open { background: var(--open-ground); color: var(--open); }

.section { background: var(--ground); border: 1px solid var(--line); border-radius: var(--round); padding: var(--space); margin-bottom: var(--space); min-width: 0; }
.section > :is(p, ul, ol, dl, form):last-child, .section > form:last-child > :last-child { margin-bottom: 0; }
.section > p:first-child { margin-top: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: var(--space); margin-bottom: var(--space); }
.card { background: var(--ground); border: 1px solid var(--line); border-radius: var(--round); padding: var(--space); }
.card .amount { font-size: 1.4rem; font-weight: 700; font-variant-numeric: tabular-nums; margin: 0; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0.75rem var(--space); margin: 0; }
.facts + .section, .facts + .list { margin-top: var(--space); }
.facts dt { color: var(--quiet); font-size: 0.9rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.empty { background: var(--ground); padding: 2rem var(--space); text-align: center; border: 1px dashed var(--line); border-radius: var(--round); color: var(--quiet); }
.list > table { background: var(--ground); }
main > .list > table { border: 1px solid var(--line); }
tbody tr:hover { background: var(--raised); }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: 0.55rem 0.6rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th { overflow-wrap: normal; color: var(--quiet); font-size: 0.9rem; font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, pre, .code { font-family: ui-monospace, monospace; font-size: 0.92em; overflow-wrap: anywhere; }
pre { background: var(--raised); padding: 0.75rem; border-radius: var(--round); overflow: auto; max-height: 24rem; white-space: pre-wrap; }
.qr { background: #fff; padding: 0.75rem; border-radius: var(--round); width: 14rem; max-width: 100%; }
.qr svg { display: block; width: 100%; height: auto; }
.chart { display: block; width: 100%; height: 10rem; margin-top: var(--space); border-bottom: 1px solid var(--line); }
.chart-ends { display: flex; justify-content: space-between; color: var(--quiet); font-size: 0.85rem; margin: 0.2rem 0 0.6rem; }
.actions [aria-current] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
.chart rect { fill: var(--accent); }

@media (max-width: 46rem) {
  .cards { grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 0.6rem; }
  .card { padding: 0.7rem; }
  .card .amount { font-size: 1.15rem; }
  .columns { display: block; min-height: 0; }
  .menu { border-right: 0; border-bottom: 1px solid var(--line); padding: 0.4rem 0.5rem; overflow-x: auto; }
  .menu ul { display: flex; white-space: nowrap; gap: 0.1rem; }
  .menu > ul { position: static; }
  .menu-group { display: none; }
  main { padding: var(--space); }
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  .list > table, main > .list > table { background: none; border: 0; }
  tr { background: var(--ground); border: 1px solid var(--line); border-radius: var(--round); margin-bottom: 0.6rem; padding: 0.3rem 0.2rem; }
  td { border: 0; display: flex; justify-content: space-between; gap: var(--space); padding: 0.25rem 0.6rem; text-align: right; }
  td::before { content: attr(data-heading); color: var(--quiet); text-align: left; white-space: nowrap; }
}
@media (prefers-reduced-motion: no-preference) {
  button { transition: opacity 0.1s; }
}

/* disputes, unexpected payments, payers, settings */
.tabs { display: flex; gap: 0.25rem; border-bottom: 1px solid var(--line); margin-bottom: var(--space); overflow-x: auto; }
.tabs a { padding: 0.5rem 0.8rem; color: var(--text); text-decoration: none; border-bottom: 3px solid transparent; }
.tabs a[aria-current] { border-color: var(--accent); color: var(--accent); font-weight: 600; }
fieldset { border: 1px solid var(--line); border-radius: var(--round); margin: 0 0 0.9rem; min-width: 0; }
legend { font-weight: 600; padding: 0 0.3rem; }
.check { display: flex; gap: 0.5rem; align-items: center; margin-bottom: 0.9rem; }
.check label { margin: 0; }
/* payment */
.pay { display: flex; flex-wrap: wrap; gap: var(--space); align-items: start; }
.pay > div { min-width: 0; flex: 1 1 16rem; }
.pay > .qr { flex: 0 1 14rem; }
.postings { list-style: none; margin: 0; padding: 0; }
/* What follows a list keeps its distance. */
.list + .after-list, .list + .hint + .after-list, .list + form, .list + p { margin-top: var(--space); }
.after-list { max-width: 34rem; }
/* Filters are folded on a narrow screen only; a browser without ::details-content folds them everywhere. */
.filter-fold { margin-bottom: var(--space); }
.filter-fold summary { cursor: pointer; padding: 0.4rem 0; font-weight: 600; }
@media (min-width: 46.01rem) {
  /* As far down as a field under its label, whatever hints and errors stand below. */
  form.filters button { align-self: start; margin-top: 1.7rem; }
  @supports selector(::details-content) {
    .filter-fold summary { display: none; }
    .filter-fold::details-content { content-visibility: visible; }
  }
}
/* The account's menu opens to the left, so it stands at the right. */
.account { margin-inline-start: auto; }
/* static codes: the counter sign */
.sign { page: sign; background: #fff; color: #15201c; border: 1px solid var(--line); border-radius: var(--round); padding: 1.5rem; text-align: center; display: grid; gap: 0.5rem; justify-items: center; }
.sign p { margin: 0; overflow-wrap: anywhere; }
.sign .hint { color: #51615a; }
.sign-title { font-size: 1.5rem; font-weight: 700; color: #0b6b4f; }
.sign-company { font-size: 1.15rem; font-weight: 600; }
.sign-amount { font-size: 1.3rem; font-weight: 700; }
@page sign { size: A6; margin: 6mm; }
@media print {
  .screen-only, .language, .brand, .alone > h1 { display: none; }
  .alone { margin: 0; max-width: none; }
  .sign { border: 0; padding: 0; }
}
/* payments: saved views */
.chips ul { list-style: none; margin: 0 0 var(--space); padding: 0; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.chips li { max-width: 100%; }
.chip { display: inline-block; max-width: 100%; padding: 0.3rem 0.8rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--ground); color: var(--text); text-decoration: none; overflow-wrap: anywhere; }
.chip[aria-current] { border-color: var(--accent); background: var(--good-ground); color: var(--good); font-weight: 600; }
form.save-view { max-width: 34rem; }
`;
