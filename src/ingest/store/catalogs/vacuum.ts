import { localizable } from '../../../errors/localizable.ts'
import { AppError, type Failure } from '../../../errors.ts'
import { Child, getChildEntry } from '../../../system/child.ts'

export async function vacuumFile(file: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const child = new Child(getChildEntry('./vacuum-process', import.meta.url), [file])
  const answer = await child.awaitAnswer<{ readonly failure?: Failure }>(signal)
  await child.ended
  if (answer?.failure) throw new AppError(answer.failure.code, answer.failure.message)
  if (answer) return
  const message = localizable`The process that rewrites the catalog died (${child.ending}). Check free memory and disk, and try again.`
  throw new AppError('internal', message, { cause: child.lastWords })
}
