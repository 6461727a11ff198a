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

/** Runs all until the signal. If one fails, aborts the others, awaits them, and throws its error. */
export async function runTogether(
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  await Promise.all(works.map(work => work(stop).catch(error => failed.abort(error))))
  failed.signal.throwIfAborted()
}
