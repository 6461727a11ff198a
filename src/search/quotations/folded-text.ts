import { toSimplified } from '../../text/simplified.ts'

/** Letters and digits: compatible forms (NFKC) without marks, lower case, Simplified. */
export type FoldedText = {
  readonly letters: string
  /** Per UTF-16 unit of `letters`, the offset in the text. */
  readonly offsets: readonly number[]
}

const KEPT = /[\p{L}\p{N}]/u
const MARKS = /\p{M}/gu

const MAX_REMEMBERED = 50_000
const foldedCharacters = new Map<string, string>()

export function foldText(text: string): FoldedText {
  const simple = toSimplified(text)
  const parts: string[] = []
  const offsets: number[] = []
  let offset = 0
  for (const character of simple) {
    const folded = foldCharacter(character)
    if (folded !== '') {
      parts.push(folded)
      for (let unit = 0; unit < folded.length; unit++) offsets.push(offset)
    }
    offset += character.length
  }
  return { letters: parts.join(''), offsets }
}

function foldCharacter(character: string): string {
  const cached = foldedCharacters.get(character)
  if (cached !== undefined) return cached
  const folded = [...character.normalize('NFKD').replace(MARKS, '').normalize('NFKC')]
    .filter(letter => KEPT.test(letter))
    .join('')
    .toLowerCase()
  if (foldedCharacters.size >= MAX_REMEMBERED) foldedCharacters.clear()
  foldedCharacters.set(character, folded)
  return folded
}
