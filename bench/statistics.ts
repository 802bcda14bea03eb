/** The smallest value that `percent` of all values do not exceed; NaN for none. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** The middle value, which a disturbed run cannot move. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.ceil(middle) - 1],
    sorted[Math.floor(middle)],
  ];
  return (low + high) / 2;
}
