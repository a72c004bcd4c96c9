import activity from "lucide-static/dist/esm/icons/activity.mjs";
import arrowLeftRight from "lucide-static/dist/esm/icons/arrow-left-right.mjs";
import ban from "lucide-static/dist/esm/icons/ban.mjs";
import banknote from "lucide-static/dist/esm/icons/banknote.mjs";
import building from "lucide-static/dist/esm/icons/building.mjs";
import calendarDays from "lucide-static/dist/esm/icons/calendar-days.mjs";
import chartColumn from "lucide-static/dist/esm/icons/chart-column.mjs";
import circleAlert from "lucide-static/dist/esm/icons/circle-alert.mjs";
import circleCheck from "lucide-static/dist/esm/icons/circle-check.mjs";
import circleX from "lucide-static/dist/esm/icons/circle-x.mjs";
import clock from "lucide-static/dist/esm/icons/clock.mjs";
import code from "lucide-static/dist/esm/icons/code.mjs";
import copy from "lucide-static/dist/esm/icons/copy.mjs";
import creditCard from "lucide-static/dist/esm/icons/credit-card.mjs";
import download from "lucide-static/dist/esm/icons/download.mjs";
import ellipsis from "lucide-static/dist/esm/icons/ellipsis.mjs";
import flaskConical from "lucide-static/dist/esm/icons/flask-conical.mjs";
import house from "lucide-static/dist/esm/icons/house.mjs";
import inbox from "lucide-static/dist/esm/icons/inbox.mjs";
import keyRound from "lucide-static/dist/esm/icons/key-round.mjs";
import link from "lucide-static/dist/esm/icons/link.mjs";
import list from "lucide-static/dist/esm/icons/list.mjs";
import mail from "lucide-static/dist/esm/icons/mail.mjs";
import menu from "lucide-static/dist/esm/icons/menu.mjs";
import messageCircle from "lucide-static/dist/esm/icons/message-circle.mjs";
import plus from "lucide-static/dist/esm/icons/plus.mjs";
import printer from "lucide-static/dist/esm/icons/printer.mjs";
import qrCode from "lucide-static/dist/esm/icons/qr-code.mjs";
import receiptText from "lucide-static/dist/esm/icons/receipt-text.mjs";
import scale from "lucide-static/dist/esm/icons/scale.mjs";
import search from "lucide-static/dist/esm/icons/search.mjs";
import send from "lucide-static/dist/esm/icons/send.mjs";
import settings from "lucide-static/dist/esm/icons/settings.mjs";
import shieldCheck from "lucide-static/dist/esm/icons/shield-check.mjs";
import snowflake from "lucide-static/dist/esm/icons/snowflake.mjs";
import store from "lucide-static/dist/esm/icons/store.mjs";
import triangleAlert from "lucide-static/dist/esm/icons/triangle-alert.mjs";
import undo2 from "lucide-static/dist/esm/icons/undo-2.mjs";
import user from "lucide-static/dist/esm/icons/user.mjs";
import users from "lucide-static/dist/esm/icons/users.mjs";
import wallet from "lucide-static/dist/esm/icons/wallet.mjs";
import webhook from "lucide-static/dist/esm/icons/webhook.mjs";
import x from "lucide-static/dist/esm/icons/x.mjs";
import { hashedAsset } from "../assets.ts";
import { MARK_SHAPES } from "./mark.ts";

/** The icons of all pages, by what they mean. They are of lucide (ISC), 24 units wide. */
const ICONS = {
  today: house,
  charge: receiptText,
  people: users,
  money: wallet,
  pending: inbox,
  cashier: store,
  code: code,
  company: building,
  add: plus,
  more: menu,
  acts: ellipsis,
  close: x,
  good: circleCheck,
  waiting: clock,
  "needs-you": circleAlert,
  lost: circleX,
  cancelled: ban,
  returned: undo2,
  search: search,
  test: flaskConical,
  frozen: snowflake,
  withdraw: banknote,
  "qr-code": qrCode,
  link: link,
  key: keyRound,
  webhook: webhook,
  list: list,
  calendar: calendarDays,
  dispute: scale,
  copy: copy,
  send: send,
  message: messageCircle,
  mail: mail,
  print: printer,
  download: download,
  health: activity,
  alarm: triangleAlert,
  move: arrowLeftRight,
  card: creditCard,
  chart: chartColumn,
  shield: shieldCheck,
  settings: settings,
  account: user,
} as const satisfies Record<string, string>;

export type IconName = keyof typeof ICONS;

const LICENSE = "<!-- Icons: lucide, ISC, https://lucide.dev/license -->";

/** All icons and the mark as one SVG, which a page refers to by `#name`. */
export const SPRITE = hashedAsset("icons", "svg", spriteOf(ICONS));

function spriteOf(icons: Record<string, string>): string {
  const symbols = Object.entries(icons).map(([name, svg]) => symbolOf(name, shapesOf(svg)));
  const mark = `<symbol id="mark" viewBox="0 0 32 32">${MARK_SHAPES}</symbol>`;
  return `${LICENSE}<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}${mark}</svg>`;
}

function symbolOf(name: string, shapes: string): string {
  const stroke =
    'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return `<symbol id="${name}" viewBox="0 0 24 24" ${stroke}>${shapes}</symbol>`;
}

/** What stands inside an icon's `svg`, without the blanks between. */
function shapesOf(svg: string): string {
  return svg.slice(svg.indexOf(">") + 1, svg.lastIndexOf("</svg>")).replaceAll(/\s*\n\s*/g, "");
}
