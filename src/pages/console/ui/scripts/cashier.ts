/**
 * The script of one charge at the counter: two tones once it arrived. A browser lets a page sound only after a touch,
 * so the first one anywhere on the page readies it. Without it the page says the same in words and colour.
 */
export const CASHIER_SCRIPT = `"use strict";
(() => {
  const place = document.querySelector(".list[data-refresh]");
  if (place === null) return;
  const stateOf = () => place.querySelector("[data-arrival]")?.dataset.arrival;
  let sound = null;
  let state = stateOf();
  document.addEventListener("pointerdown", () => {
    sound ??= new AudioContext();
    void sound.resume();
  });
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
    const before = state;
    state = stateOf();
    if (state === before || state !== "arrived") return;
    document.querySelector(".counter-code")?.remove();
    navigator.vibrate?.(200);
    if (sound === null) return;
    tone(660, 0);
    tone(880, 0.2);
  }).observe(place, { childList: true });
})();
`;
