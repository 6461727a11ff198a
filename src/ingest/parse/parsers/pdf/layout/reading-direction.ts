type Placed = { readonly text: string }

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const RIGHT_TO_LEFT_LETTERS = new RegExp(RIGHT_TO_LEFT, 'gu')
const LETTER = /\p{L}/gu
const ANY_LETTER = /\p{L}/u
const NUMBER = /\p{N}/u

/** Orders pieces of a line as they are read (Unicode Annex 9, L2). */
export function orderByDirection<Piece extends Placed>(line: readonly Piece[]): readonly Piece[] {
  if (line.length < 2 || !line.some(({ text }) => RIGHT_TO_LEFT.test(text))) return line
  const letters = line.map(({ text }) => countLetters(text))
  const right = letters.reduce((sum, { right }) => sum + right, 0)
  const isRight = right * 2 > letters.reduce((sum, { all }) => sum + all, 0)
  const levels = settleLevels(
    letters.map(counts => findLevel(counts, isRight)),
    { isRight, isNumber: line.map(({ text }) => NUMBER.test(text)) },
  )
  return reverseLevelRuns(reverseLevelRuns([...line.keys()], levels, 2), levels, 1).flatMap(
    index => line[index] ?? [],
  )
}

/** A blank between them may be drawn elsewhere. */
export function changesDirection(left: string, right: string): boolean {
  const before = left.at(-1) ?? ''
  const after = right[0] ?? ''
  const changes = RIGHT_TO_LEFT.test(before) !== RIGHT_TO_LEFT.test(after)
  return changes && ANY_LETTER.test(before) && ANY_LETTER.test(after)
}

type Letters = { readonly right: number; readonly all: number }

function countLetters(text: string): Letters {
  return {
    right: text.match(RIGHT_TO_LEFT_LETTERS)?.length ?? 0,
    all: text.match(LETTER)?.length ?? 0,
  }
}

function findLevel({ right, all }: Letters, isRight: boolean): number | undefined {
  if (right > 0) return 1
  if (all > 0) return isRight ? 2 : 0
  return undefined
}

function settleLevels(
  found: readonly (number | undefined)[],
  { isRight, isNumber }: { readonly isRight: boolean; readonly isNumber: readonly boolean[] },
): number[] {
  const base = isRight ? 1 : 0
  return found.map((level, index) => {
    const beside = [found[index - 1] ?? base, found[index + 1] ?? base]
    if (level !== undefined) return level
    if (isNumber[index] && beside.some(other => other !== 1)) return isRight ? 2 : 0
    return beside[0] === beside[1] ? (beside[0] ?? base) : base
  })
}

function reverseLevelRuns(
  order: readonly number[],
  levels: readonly number[],
  minLevel: number,
): number[] {
  const turned: number[] = []
  let run: number[] = []
  for (const index of order) {
    if ((levels[index] ?? 0) >= minLevel) run.unshift(index)
    else {
      turned.push(...run, index)
      run = []
    }
  }
  return [...turned, ...run]
}
