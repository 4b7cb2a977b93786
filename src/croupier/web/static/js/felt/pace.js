// How fast: what is chosen for this browser, and what it makes of the time that motion takes.

import { chosen } from "../shared/settings.js";

const SHARE = { casino: 1, quick: 0.6, turbo: 0.25 };

/** Milliseconds of an animation at the chosen pace. */
export const timed = (milliseconds) => milliseconds * (SHARE[chosen("pace")] ?? 1);

/** Whatever moves is where it goes. */
export function finishMotion() {
  for (const moving of document.getAnimations()) {
    if (moving.effect?.getComputedTiming().endTime !== Infinity) moving.finish();
  }
}
