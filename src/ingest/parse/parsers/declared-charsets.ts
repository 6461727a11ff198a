import { decode, judgeDeclaration } from '../detection/charset.ts'
import type { ParserEvent } from '../parser.ts'

/** Maximum number of charsets in warnings. Keeps a generated mail readable. */
const MAX_CHARSETS = 10

/** Decodes the texts of a document, and collects the charsets that are declared wrongly. */
export class DeclaredCharsets {
  readonly #messages = new Set<string>()

  decode(bytes: Uint8Array, declared: string | undefined): { text: string; charset: string } {
    const { text, charset } = decode(bytes, declared)
    const fault = judgeDeclaration(bytes, declared, charset)
    if (fault && declared && this.#messages.size < MAX_CHARSETS)
      this.#messages.add(describeFault(fault, declared.slice(0, 40), charset))
    return { text, charset }
  }

  *listWarnings(): Iterable<ParserEvent> {
    for (const message of this.#messages)
      yield { type: 'warning', warning: { code: 'charset', message } }
  }
}

function describeFault(
  fault: 'unknown' | 'contradicted',
  declared: string,
  charset: string,
): string {
  const reason = fault === 'unknown' ? 'which is unknown' : 'which its bytes contradict'
  return `The charset ${declared} is declared, ${reason}: the text was read as ${charset}. If words look wrong, save it as UTF-8 and add it again.`
}
