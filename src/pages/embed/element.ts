/**
 * The script of `/checkout.js`: the element `centavo-checkout`, which opens a payer's page in a dialog of a
 * merchant's page (docs/checkout.md, "Embed"). It believes only messages from its own frame while that shows this
 * service. A page that does not tell in time that it is there was blocked; a link then opens it by itself. Styles
 * come by a constructed sheet, which a merchant's strict policy leaves alone.
 */
export const ELEMENT = `"use strict";
(() => {
  const NAME = "centavo-checkout";
  const script = document.currentScript ?? document.querySelector('script[src$="/checkout.js"]');
  const isKnown = typeof HTMLDialogElement === "function" && customElements.get(NAME) === undefined;
  if (script === null || !isKnown) return;
  const gateway = new URL(script.src).origin;
  // Blocked pages load too; the longer wait is for slow networks.
  const READY_AFTER_LOAD_MS = 2000;
  const LOADED_MS = 10000;
  const WORDS = {
    "pt-BR": {
      pay: "Pagar",
      title: "Pagamento",
      close: "Fechar",
      tab: "Abrir em uma nova aba",
      blocked: "O pagamento não pôde ser mostrado nesta página. Abra-o em uma nova aba.",
    },
    en: {
      pay: "Pay",
      title: "Payment",
      close: "Close",
      tab: "Open in a new tab",
      blocked: "The payment could not be shown on this page. Open it in a new tab.",
    },
  };
  const STYLE = \`
    :host { display: inline-block; }
    [hidden] { display: none !important; }
    button, a { font: inherit; min-height: 2.75rem; padding: 0.5rem 1rem; border-radius: 0.5rem; box-sizing: border-box; cursor: pointer; }
    [part="button"] { background: #0b6b4f; color: #fff; border: 0; font-weight: 700; }
    dialog { width: min(28rem, 100vw); height: min(48rem, 100vh); height: min(48rem, 100dvh); max-width: none; max-height: none; padding: 0; border: 0; background: #fff; color: #15201c; font: 16px/1.4 system-ui, sans-serif; }
    dialog[open] { display: flex; flex-direction: column; }
    dialog::backdrop { background: rgb(0 0 0 / 60%); }
    div { display: flex; justify-content: space-between; align-items: center; gap: 0.5rem; padding: 0.25rem; border-bottom: 1px solid #7c8a84; }
    div button { background: none; color: inherit; border: 1px solid #7c8a84; }
    a { color: #0b6b4f; display: inline-flex; align-items: center; }
    @media (prefers-color-scheme: dark) {
      dialog { background: #14181b; color: #e8eeeb; }
      a { color: #5fd3ae; }
    }
    a.primary { background: #0b6b4f; color: #fff; font-weight: 700; text-decoration: none; }
    p { margin: 1rem; }
    iframe { flex: 1; width: 100%; min-height: 0; border: 0; }
  \`;

  function make(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  class CentavoCheckout extends HTMLElement {
    static observedAttributes = ["secure-id", "slug"];
    #button = make("button", { type: "button", part: "button" });
    #label = make("slot", { hidden: "" });
    #tab = make("a", { target: "_blank", rel: "noopener" });
    #close = make("button", { type: "button", autofocus: "" });
    #notice = make("p", { role: "alert", hidden: "" });
    #dialog = make("dialog", { part: "dialog" }, make("div", {}, this.#tab, this.#close), this.#notice);
    #frame = null;
    #isReady = false;
    #status = null;
    #timer = 0;

    constructor() {
      super();
      const root = this.attachShadow({ mode: "open" });
      root.append(this.#button, this.#label, this.#dialog);
      try {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        root.adoptedStyleSheets = [sheet];
      } catch {
        // An old browser shows it plain.
      }
      this.#label.addEventListener("slotchange", () => this.#write());
      this.#button.addEventListener("click", () => this.open());
      this.#close.addEventListener("click", () => this.close());
      this.#dialog.addEventListener("close", () => this.#closed());
    }

    connectedCallback() {
      this.#write();
      addEventListener("message", this.#hear);
    }

    disconnectedCallback() {
      removeEventListener("message", this.#hear);
      this.#forget();
    }

    attributeChangedCallback() {
      this.#forget();
      this.#write();
    }

    open() {
      if (this.#dialog.open || !this.isConnected) return;
      if (this.#frame === null) this.#load();
      else this.#tell(true);
      this.#dialog.showModal();
    }

    close() {
      this.#dialog.close();
    }

    get #url() {
      const secureId = this.getAttribute("secure-id");
      const path = secureId === null ? "/l/" + encodeURIComponent(this.getAttribute("slug") ?? "") : "/checkout/" + encodeURIComponent(secureId);
      return gateway + path;
    }

    // The words of the page's language. The link that the page has without script names the button.
    #write() {
      const language = this.closest("[lang]")?.lang || navigator.language;
      const words = WORDS[/^en\\b/i.test(language) ? "en" : "pt-BR"];
      this.#button.textContent = this.textContent.trim() || words.pay;
      this.#dialog.setAttribute("aria-label", words.title);
      this.#close.textContent = words.close;
      this.#tab.textContent = words.tab;
      this.#tab.href = this.#url;
      return words;
    }

    #load() {
      const { title } = this.#write();
      this.#frame = make("iframe", {
        title,
        allow: "clipboard-write",
        referrerpolicy: "no-referrer",
        src: this.#url + "?embed=" + encodeURIComponent(location.origin),
      });
      this.#frame.addEventListener("load", () => this.#await(READY_AFTER_LOAD_MS));
      this.#dialog.append(this.#frame);
      this.#await(LOADED_MS);
    }

    #await(wait) {
      if (this.#isReady) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#judge(), wait);
    }

    #judge() {
      clearTimeout(this.#timer);
      this.#frame.hidden = !this.#isReady;
      this.#notice.hidden = this.#isReady;
      this.#notice.textContent = this.#isReady ? "" : this.#write().blocked;
      this.#tab.className = this.#isReady ? "" : "primary";
    }

    #forget() {
      this.#dialog.close();
      clearTimeout(this.#timer);
      this.#frame?.remove();
      this.#frame = null;
      this.#isReady = false;
      this.#status = null;
      this.#notice.hidden = true;
      this.#tab.className = "";
    }

    // A closed checkout is kept, so that it goes on where it was; it only asks more rarely.
    #closed() {
      this.#say("closed", null);
      // It may have been opened again meanwhile.
      if (this.#dialog.open) return;
      if (this.#isReady) this.#tell(false);
      else this.#forget();
    }

    #tell(isShown) {
      this.#frame.contentWindow.postMessage({ type: "centavo:shown", isShown }, gateway);
    }

    #say(name, detail) {
      this.dispatchEvent(new CustomEvent("centavo:" + name, { detail, bubbles: true, composed: true }));
    }

    #hear = ({ origin, source, data }) => {
      if (this.#frame === null || origin !== gateway || source !== this.#frame.contentWindow) return;
      const { type, status } = Object(data);
      if (type === "centavo:close") this.close();
      if (type === "centavo:ready") {
        this.#isReady = true;
        this.#judge();
      }
      if (type !== "centavo:status" || typeof status !== "string" || status === this.#status) return;
      this.#status = status;
      this.#say("status", { status });
      if (status === "PAID") this.#say("paid", { status });
    };
  }
  customElements.define(NAME, CentavoCheckout);
})();
`;
