const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

export function sayBytes(bytes: number, locale: string): string {
  let n = bytes
  let unit = 0
  while (n >= 1024 && unit < UNITS.length - 1) {
    n /= 1024
    unit++
  }
  const digits = unit > 0 && n < 10 ? 1 : 0
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(n)} ${UNITS[unit] ?? ''}`
}
