/** What multiplies the number before it, in both languages. */
const FACTORS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ hundred: 1e2, thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12, bn: 1e9, dozen: 12 },
    ...{ k: 1e3, m: 1e6, mn: 1e6, '000': 1e3 },
    ...{ 百: 1e2, 千: 1e3, 万: 1e4, 百万: 1e6, 千万: 1e7, 亿: 1e8, 万亿: 1e12 },
  }),
)

/** Of those that are written behind digits, the English ones as words of their own; `千克` is a unit. */
export const ENGLISH_SCALE = 'hundred|thousand|million|billion|trillion|bn|dozen'
export const HAN_SCALE = '万亿|千万|百万|亿|万|百|千(?![克米瓦])'

/** One that stands with a unit, as in a header: `thousands of USD`, `EUR million`, `$m`, `百万元`. */
export const SCALE_BESIDE_UNIT =
  /(?<![a-z])(?:hundred|thousand|million|billion|trillion)s?(?![a-z])|(?<![a-z])(?:bn|mn)(?![a-z])|['’]000\b|(?<=[€$£¥]\s?)(?:bn|[mk])\b|万亿|千万|百万|亿|万|百|千(?![克米瓦])/

/** The scales that are English words. */
export const SCALE_WORDS: readonly (readonly [word: string, factor: number])[] = [...FACTORS].filter(([word]) =>
  /^[a-z]{5,}$/.test(word),
)

/** The number that a written one is with its scale; without one, the number itself. */
export function scaled(value: number, scale = ''): number {
  return Number((value * (FACTORS.get(scale.toLowerCase()) ?? 1)).toPrecision(12))
}
