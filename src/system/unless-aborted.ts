/** Throws the signal's reason if that comes first. Abandoned work may continue. */
export async function raceAbort<Result>(
  work: Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  if (!signal) return await work
  work.catch(() => {}) // the caller gets it below, unless it has given up
  signal.throwIfAborted()
  return await new Promise<Result>((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp)
    const forget = () => signal.removeEventListener('abort', giveUp)
    work.then(resolve, reject).finally(forget)
  })
}
