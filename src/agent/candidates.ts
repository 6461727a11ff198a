import { languageOf } from '../ingest/language.ts'
import type { Passage } from '../search/context.ts'
import type { Terms } from './terms.ts'
import { type Unit, unitsOf } from './units.ts'

/** A unit with what is known of it whatever part of the question is looked at. */
export type Candidate = {
  readonly unit: Unit
  /** What it is embedded as: the unit after the label that it stands under. */
  readonly embedded: string
  readonly terms: ReadonlySet<string>
  /** Terms of title, headings, the label above and the sentence before. */
  readonly surroundings: ReadonlySet<string>
  /** From 1, of the best hit, towards 0. */
  readonly rank: number
  /** It is the title, or one of the headings that its passage stands under. */
  readonly isHeading: boolean
  /** Its language is not the question's: shared words cannot be asked for. */
  readonly isAcross: boolean
}

/** All units of a passage, ranked as the passage is. */
export function candidatesOf(
  passage: Passage,
  { question, rank, terms }: { readonly question: string; readonly rank: number; readonly terms: Terms },
): readonly Candidate[] {
  const language = languageOf(question)
  const headings = [passage.title, ...passage.parts.flatMap(part => part.headings)].map(heading => heading.trim())
  const head = headings.join('\n')
  const units = unitsOf(passage)
  return units.map((unit, at) => {
    const label = labelAbove(units, at)
    const before = units[at - 1]?.block === unit.block ? units[at - 1] : undefined
    const columns = unit.columns?.join(' ') ?? ''
    return {
      unit,
      embedded: [label?.text ?? passage.headings.at(-1), columns, unit.text].filter(Boolean).join('\n'),
      terms: terms.of(unit.text),
      surroundings: terms.of([head, label?.text, before?.text, columns].filter(Boolean).join('\n')),
      rank,
      isHeading: headings.includes(unit.text.trim()),
      isAcross: languageOf(unit.text) !== language,
    }
  })
}

/** The nearest heading-like line above, if it is near. */
function labelAbove(units: readonly Unit[], at: number): Unit | undefined {
  const above = units.slice(Math.max(0, at - 8), at)
  return above.findLast(unit => unit.isLabel)
}
