import { AppError } from '../errors.ts'

/** Native programs that npm leaves out with `--omit=optional`, and where their owners have none for a platform. */
const NATIVE_PART = /Cannot find module '(@(?:libsql|lancedb)\/[\w-]+)'/
/** How deep a cause may lie. */
const MAX_CAUSES = 5

/** An error for a program that lacks the native part of its database or its index, which says what to install. */
export function missingPart(error: unknown): AppError | undefined {
  let cause = error
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const name = NATIVE_PART.exec(cause.message)?.[1]
    if (name) {
      const message = `${name} is not installed, so no store can be opened; passim parse still works. In the folder of Passim, run npm install --no-save ${name}`
      return new AppError('internal', message, { cause: error, subject: 'store' })
    }
    cause = cause.cause
  }
  return undefined
}
