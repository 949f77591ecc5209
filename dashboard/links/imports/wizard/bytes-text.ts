const UNITS = ['byte', 'kilobyte', 'megabyte'] as const

/** `12 kB`, `1.5 MB`: as many digits as one needs to know a file by. */
export function bytesText(bytes: number): string {
  const power = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 2 ? 1 : 0,
  }).format(bytes / 1_000 ** power)
}
