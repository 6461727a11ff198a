const KIBIBYTE = 2 ** 10
const MEBIBYTE = 2 ** 20

/** Formats sizes below 1 MiB in KiB, rounded up. */
export function formatBytes(bytes: number): string {
  if (bytes < MEBIBYTE) return `${Math.ceil(bytes / KIBIBYTE)} KiB`
  return `${Math.round(bytes / MEBIBYTE)} MiB`
}
