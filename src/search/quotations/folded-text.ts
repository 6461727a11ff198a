import { toSimplified } from '../../text/simplified.ts'

/**
 * Letters and digits of a text in one form: compatible forms (NFKC) without marks, in lower
 * case, Simplified. Line ends, blanks, hyphens and punctuation are left out.
 */
export type FoldedText = {
  readonly letters: string
  /** Offset in the text of each UTF-16 unit of `letters`. */
  readonly offsets: readonly number[]
}

const KEPT = /[\p{L}\p{N}]/u
const MARKS = /\p{M}/gu

/** Characters differ far less than texts are long. */
const MAX_REMEMBERED = 50_000
const foldedCharacters = new Map<string, string>()

export function foldText(text: string): FoldedText {
  const simple = toSimplified(text)
  const parts: string[] = []
  const offsets: number[] = []
  let at = 0
  for (const character of simple) {
    const folded = foldCharacter(character)
    if (folded !== '') {
      parts.push(folded)
      for (let unit = 0; unit < folded.length; unit++) offsets.push(at)
    }
    at += character.length
  }
  return { letters: parts.join(''), offsets }
}

function foldCharacter(character: string): string {
  const known = foldedCharacters.get(character)
  if (known !== undefined) return known
  const folded = [...character.normalize('NFKD').replace(MARKS, '').normalize('NFKC')]
    .filter(letter => KEPT.test(letter))
    .join('')
    .toLowerCase()
  if (foldedCharacters.size >= MAX_REMEMBERED) foldedCharacters.clear()
  foldedCharacters.set(character, folded)
  return folded
}
