/**
 * The script of one charge at the counter: it counts the seconds, and sounds two tones once the money arrived. A browser
 * lets a page sound only after a touch, so the first one anywhere on the page readies it. Without it the page says the
 * same in words and colour.
 */
export const CASHIER_SCRIPT = `"use strict";
(() => {
  const place = document.querySelector(".list[data-refresh]");
  if (place === null) return;
  const stateOf = () => place.querySelector("[data-arrival]")?.dataset.arrival;
  // The device's clock may be wrong.
  const ahead = Date.now() - Number(place.parentElement.dataset.now);
  let sound = null;
  let state = stateOf();
  document.addEventListener("pointerdown", () => {
    sound ??= new AudioContext();
    void sound.resume();
  });
  function textOf(seconds) {
    if (seconds < 60) return seconds + " s";
    return seconds < 3600 ? Math.floor(seconds / 60) + " min" : Math.floor(seconds / 3600) + " h";
  }
  function count() {
    for (const ago of place.querySelectorAll("[data-since]")) {
      const seconds = Math.round((Date.now() - ahead - Number(ago.dataset.since)) / 1000);
      ago.textContent = ago.dataset.text.replace("*", textOf(Math.max(0, seconds)));
    }
  }
  function tone(hertz, from) {
    const volume = sound.createGain();
    volume.gain.value = 0.2;
    const source = sound.createOscillator();
    source.frequency.value = hertz;
    source.connect(volume).connect(sound.destination);
    source.start(sound.currentTime + from);
    source.stop(sound.currentTime + from + 0.18);
  }
  new MutationObserver(() => {
    count();
    const before = state;
    state = stateOf();
    if (state === before || state !== "arrived") return;
    document.querySelector(".counter-code")?.remove();
    navigator.vibrate?.(200);
    if (sound === null) return;
    tone(660, 0);
    tone(880, 0.2);
  }).observe(place, { childList: true });
  setInterval(count, 1000);
  count();
})();
`;
