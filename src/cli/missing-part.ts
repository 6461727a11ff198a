import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'

/** Native packages that `--omit=optional` leaves out, or that lack the platform. */
const NATIVE_PART = /Cannot find module '(@(?:libsql|lancedb)\/[\w-]+)'/
/** Depth of causes; protects against cycles. */
const MAX_CAUSES = 5

export function explainMissingPart(error: unknown): AppError | undefined {
  let cause = error
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const name = NATIVE_PART.exec(cause.message)?.[1]
    if (name) {
      const message = localizable`${name} is not installed, so no store can be opened; passim parse still works. In the folder of Passim, run npm install --no-save ${name}`
      return new AppError('internal', message, { cause: error, subject: 'store' })
    }
    cause = cause.cause
  }
  return undefined
}
