import { foldText } from './folded-text.ts'

export type Piece = {
  /** Folded letters and digits. */
  readonly letters: string
  /** The same part unfolded. */
  readonly words: string
}

/** Rare enough in a language, while a lost line costs one piece. */
const MAX_LETTERS = 96
/** Shorter lines, such as page numbers, stand in too many texts. */
const MIN_LETTERS = 4

/** Word that a hyphen parts at the end of a line. */
const BROKEN_WORD = /(\p{L})[-\u00AD\u2010]\s*\n\s*(?=\p{Ll})/gu

/** Cuts lines and cells, because each reader orders cells differently. */
export function cutPieces(lines: readonly string[], maxLetters = MAX_LETTERS): readonly Piece[] {
  return lines
    .flatMap(line => cutEvenly(line, maxLetters))
    .filter(({ letters }) => letters.length >= MIN_LETTERS)
}

function cutEvenly(line: string, maxLetters: number): readonly Piece[] {
  const text = line.replace(BROKEN_WORD, '$1')
  const { letters, offsets } = foldText(text)
  const count = Math.ceil(letters.length / maxLetters)
  const length = Math.ceil(letters.length / count)
  return Array.from({ length: count }, (_, index) => {
    const end = offsets[(index + 1) * length] ?? text.length
    return {
      letters: letters.slice(index * length, (index + 1) * length),
      words: text.slice(offsets[index * length] ?? 0, end),
    }
  })
}
