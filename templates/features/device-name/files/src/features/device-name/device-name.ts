/** Many browsers name others too, for compatibility: the first match is the real one. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|OPiOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//],
] as const;

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
] as const;

export type Device = ReturnType<typeof deviceOf>;

/**
 * The browser and the system that a User-Agent claims. The names are ours, never taken from the header:
 * whoever signs in chooses it, and could write a phishing text.
 */
export function deviceOf(userAgent: string | null) {
  const firstOf = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  return { browser: firstOf(BROWSERS), system: firstOf(SYSTEMS) };
}

/** The name of a device on pages, such as `Chrome, Windows`; undefined if neither is known. */
export function deviceName(userAgent: string | null): string | undefined {
  const { browser, system } = deviceOf(userAgent);
  return [browser, system].filter(Boolean).join(', ') || undefined;
}
