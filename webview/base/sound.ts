/** The tones of the sound: when each starts, in seconds, and its frequency, in hertz. */
const tones = [
  { at: 0, hertz: 660 },
  { at: 0.14, hertz: 880 },
];
const toneSeconds = 0.22;
const volume = 0.08;

/**
 * Plays the sound of a notification: two soft tones. Browsers let a page play only after the user has clicked or typed in
 * it, so it may stay silent. Resolves to whether it plays.
 */
export async function playSound(): Promise<boolean> {
  const audio = new AudioContext();
  // Without a click, some browsers never settle this.
  void audio.resume().catch(() => undefined);
  if (audio.state !== 'running' && !navigator.userActivation.hasBeenActive) {
    await audio.close();
    return false;
  }
  const start = audio.currentTime;
  for (const { at, hertz } of tones) {
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start + at);
    gain.gain.linearRampToValueAtTime(volume, start + at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + at + toneSeconds);
    tone.connect(gain).connect(audio.destination);
    tone.start(start + at);
    tone.stop(start + at + toneSeconds);
    if (at === tones.at(-1)?.at) tone.addEventListener('ended', () => void audio.close());
  }
  return true;
}
