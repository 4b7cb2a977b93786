// The sounds of a table, made here and not recorded: silent unless chosen.

import { chosen } from "../shared/settings.js";

/** @type {any} */ let context = null;

/** A tone that dies away. */
function tone(at, pitch, { seconds = 0.12, loud = 0.12, shape = "sine" } = {}) {
  const voice = context.createOscillator();
  const volume = context.createGain();
  voice.type = shape;
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  voice.connect(volume).connect(context.destination);
  voice.start(at);
  voice.stop(at + seconds);
}

/** Paper on cloth: a breath of noise around a pitch. */
function rustle(at, pitch, seconds) {
  const length = Math.ceil(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < length; n += 1) samples[n] = (Math.random() * 2 - 1) * (1 - n / length) ** 2;
  const noise = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const volume = context.createGain();
  noise.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  volume.gain.value = 0.25;
  noise.connect(filter).connect(volume).connect(context.destination);
  noise.start(at);
}

const SOUNDS = {
  deal: (at) => rustle(at, 2600, 0.07),
  turn: (at) => rustle(at, 1500, 0.1),
  chip: (at) =>
    [2900, 4100].forEach((pitch, n) => tone(at + n * 0.03, pitch, { seconds: 0.05, loud: 0.05, shape: "triangle" })),
  asked: (at) => tone(at, 784, { seconds: 0.25, loud: 0.06 }),
  win: (at) => [523, 659, 784].forEach((pitch, n) => tone(at + n * 0.09, pitch, { seconds: 0.3 })),
  push: (at) => tone(at, 440, { seconds: 0.2, loud: 0.07 }),
  lose: (at) => tone(at, 220, { seconds: 0.25, loud: 0.07 }),
};

/** `later` in milliseconds. */
export function play(name, later = 0) {
  if (!chosen("sound") || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SOUNDS[name](context.currentTime + later / 1000);
}
