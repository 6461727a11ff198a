import { AppError } from '../errors.ts'
import { MAX_SEARCHED_CHARS } from '../text/keywords.ts'

/** Throws `invalid_input` for what is too long to be searched for. */
export function requireShort(text: string, what: string): void {
  if (text.length <= MAX_SEARCHED_CHARS) return
  throw new AppError(
    'invalid_input',
    `${what} has ${text.length} characters: at most ${MAX_SEARCHED_CHARS} can be searched for.`,
  )
}
