/**
 * What comes first: the result, or the signal's reason. What is given up need not end at once, for nobody waits for it or hears of
 * its failure.
 */
export async function unlessAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return await work
  work.catch(() => {}) // told to whoever awaits it here, if anybody still does
  signal.throwIfAborted()
  const ended = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
  })
  return await Promise.race([work, aborted]).finally(() => ended.abort())
}
