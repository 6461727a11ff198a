import { localizable, withMessage } from '../../../errors/localizable.ts'
import type { ParserEvent } from '../parser.ts'

/** Maximum number of names in the warning. Keeps it readable. */
const MAX_NAMES = 10

/** Files whose text a document includes from elsewhere. Emit the warning at its end. */
export class IncludedFiles {
  readonly #names = new Set<string>()

  add(name: string): void {
    if (name.trim()) this.#names.add(name.trim().slice(0, 200))
  }

  *listWarnings(): Iterable<ParserEvent> {
    if (this.#names.size === 0) return
    const names = [...this.#names].slice(0, MAX_NAMES).join(', ')
    const more = this.#names.size - MAX_NAMES
    const others = more > 0 ? ` and ${more} more` : ''
    const message = localizable`Skipped: files that the text includes (${names}${others}). Add them too, to find their text.`
    yield { type: 'warning', warning: withMessage({ code: 'skipped' }, message) }
  }
}
