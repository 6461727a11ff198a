import type { Span } from '../../ingest/sentences.ts'
import type { Passage } from '../../search/passages/context.ts'
import { type Unit, unitsOf } from './units.ts'

/** The units of passages, each read once however many stretches of it are looked at: a table may have thousands of rows. */
export class PassageUnits {
  readonly #read = new Map<Passage, readonly Unit[]>()

  /** Those that lie in a stretch of a passage. */
  within({ passage, span }: { readonly passage: Passage; readonly span: Span }): readonly Unit[] {
    const units = this.#read.get(passage) ?? unitsOf(passage)
    this.#read.set(passage, units)
    return units.filter(unit => span.start <= unit.span.start && unit.span.end <= span.end)
  }
}
