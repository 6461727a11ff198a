/** The two languages whose vectors and words are treated apart; `en` stands for everything that is not Chinese. */
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGES = ['zh', 'en'] as const

/** A Han character says about as much as three Latin letters. */
const LETTERS_PER_HAN = 3

/** Chinese when Han characters carry at least half of the text. */
export function languageOf(text: string): Language {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  if (han === 0) return 'en'
  const letters = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return han * LETTERS_PER_HAN >= letters ? 'zh' : 'en'
}
