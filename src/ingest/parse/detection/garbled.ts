import { localizable, withMessage } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'
import type { ParserEvent } from '../parser.ts'

/** Causes a warning, so that a reader knows why text looks wrong. */
export const NOTABLE_JUNK = 0.01

/** Refuses a file, so that binary data does not fill the index. */
const MAX_JUNK_SHARE = 0.3

const JUNK =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is counted
  /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffd\ufff0-\ufff8\ufffe\uffff\ue000-\uf8ff]/g

function countJunk(text: string): number {
  return text.match(JUNK)?.length ?? 0
}

export function measureGarbledShare(text: string): number {
  return text.length === 0 ? 0 : countJunk(text) / text.length
}

export class JunkMeter {
  #characters = 0
  #junk = 0

  add(text: string): void {
    this.#characters += text.length
    this.#junk += countJunk(text)
  }

  get share(): number {
    return this.#characters === 0 ? 0 : this.#junk / this.#characters
  }

  refuseMostlyJunk(name: string): void {
    if (this.share <= MAX_JUNK_SHARE) return
    throw new AppError(
      'corrupt',
      localizable`Cannot read ${name}: ${formatPercent(this.share)} of its characters are not text. The file is damaged or is not a text file.`,
    )
  }

  *listWarnings(): Iterable<ParserEvent> {
    if (this.share < NOTABLE_JUNK) return
    const message = localizable`${formatPercent(this.share)} of the characters are unreadable; search and answers may miss them.`
    yield { type: 'warning', warning: withMessage({ code: 'garbled' }, message) }
  }
}

function formatPercent(share: number): string {
  return `${Math.max(1, Math.round(share * 100))} %`
}
