/**
 * What comes first: the result, or the signal's reason. What is given up need not end at once, for nobody waits for it or hears of
 * its failure.
 */
export async function unlessAborted<Result>(
  work: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  if (!signal) return await work
  work.catch(() => {}) // told to whoever awaits it here, if anybody still does
  signal.throwIfAborted()
  return await new Promise<Result>((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp)
    const forget = () => signal.removeEventListener('abort', giveUp)
    work.then(resolve, reject).finally(forget)
  })
}
