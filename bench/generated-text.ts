import { createPseudoRandom } from '../src/search/evaluation/metrics.ts'

const ENGLISH =
  'the of to and in is for report market system value growth river stone bridge engine water light policy train budget signal forest'.split(
    ' ',
  )
const CHINESE = [
  ...'的一是了在不有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经',
]

/** A text of about so many words, half of the documents Chinese, with rare words so that the dictionary grows. */
export function generatedText(seed: number, words: number): string {
  const random = createPseudoRandom(seed)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() ** 2 * items.length)]! // an index within
  const isChinese = seed % 2 === 1
  const sentences: string[] = []
  for (let written = 0; written < words; ) {
    const length = 6 + Math.floor(random() * 18)
    const rare = `${isChinese ? '编号' : 'item'}${Math.floor(random() * 1e6).toString(36)}`
    const parts = Array.from({ length }, () =>
      isChinese ? pick(CHINESE) + pick(CHINESE) : pick(ENGLISH),
    )
    sentences.push(isChinese ? `${parts.join('')}${rare}。` : `${parts.join(' ')} ${rare}.`)
    written += length
  }
  return sentences.join(isChinese ? '' : ' ').replace(/(.{600,900}?[.。])/g, '$1\n\n')
}
