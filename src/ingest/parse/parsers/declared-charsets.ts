import { type LocalizableMessage, localizable, withMessage } from '../../../errors/localizable.ts'
import { decode, judgeDeclaration } from '../detection/charset.ts'
import type { ParserEvent } from '../parser.ts'

/** Maximum number of charsets in warnings. Keeps a generated mail readable. */
const MAX_CHARSETS = 10

export class DeclaredCharsets {
  readonly #messages = new Map<string, LocalizableMessage>()

  decode(bytes: Uint8Array, declared: string | undefined): { text: string; charset: string } {
    const { text, charset, isDoubtful } = decode(bytes, declared)
    const fault = judgeDeclaration(bytes, declared, charset)
    if (fault && declared) this.#note(describeFault(fault, declared.slice(0, 40), charset))
    else if (isDoubtful) this.#note(describeDoubt(charset))
    return { text, charset }
  }

  #note(message: LocalizableMessage): void {
    if (this.#messages.size < MAX_CHARSETS) this.#messages.set(`${message}`, message)
  }

  *listWarnings(): Iterable<ParserEvent> {
    for (const message of this.#messages.values())
      yield { type: 'warning', warning: withMessage({ code: 'charset' }, message) }
  }
}

function describeFault(
  fault: 'unknown' | 'contradicted',
  declared: string,
  charset: string,
): LocalizableMessage {
  return fault === 'unknown'
    ? localizable`The charset ${declared} is declared, which is unknown: the text was read as ${charset}. If words look wrong, save it as UTF-8 and add it again.`
    : localizable`The charset ${declared} is declared, which its bytes contradict: the text was read as ${charset}. If words look wrong, save it as UTF-8 and add it again.`
}

export function describeDoubt(charset: string): LocalizableMessage {
  return localizable`The file does not state its charset, and ${charset} is a doubtful guess. If words look wrong, save the file as UTF-8 and add it again.`
}
