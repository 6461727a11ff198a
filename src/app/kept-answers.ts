import { unlessAborted } from '../ingest/unless-aborted.ts'

/** Answers are given again for so long. */
export const KEEP_ANSWER_MS = 24 * 60 * 60 * 1000

/** Of all that is kept, keys included, in UTF-16 units. */
export const MAX_ALL_CHARS = 32 * 1024 * 1024

/** What an entry takes besides its texts, counted as characters. */
const ENTRY_CHARS = 200

/** What was answered; `request` tells one request from another that was sent with the same key by mistake. */
export type Answer = { readonly request: string; readonly status: number; readonly text: string }

/** Whose answer it is, a tenant's, and which of its. */
export type AnswerKey = { readonly owner: string; readonly key: string }

export type OnceOptions = {
  readonly signal: AbortSignal
  /** Told why what was done now cannot be answered again. */
  readonly onUnkept: (error: unknown) => void
}

/** What was answered under keys, so that nothing is done twice under one. */
export interface KeptAnswers {
  /** What was kept of the work under this key; undefined when it was done now. What is under way is waited for. */
  once(key: AnswerKey, options: OnceOptions, work: () => Promise<Answer | undefined>): Promise<Answer | undefined>
}

type Kept = Answer & { readonly at: number }

/** What was answered to one tenant, by key, oldest first. */
type Owned = { readonly kept: Map<string, Kept>; chars: number }

/** The answers of this process. */
export class MemoryAnswers implements KeptAnswers {
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #owned = new Map<string, Owned>()
  readonly #maxChars: number
  #chars = 0

  constructor(maxChars = MAX_ALL_CHARS) {
    this.#maxChars = maxChars
  }

  /** What was kept of the work under this key; undefined when it was done now. */
  async once(
    { owner, key }: AnswerKey,
    { signal }: OnceOptions,
    work: () => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    const name = `${owner} ${key}`
    for (let other = this.#underWay.get(name); other; other = this.#underWay.get(name))
      await unlessAborted(other, signal)
    const known = this.#owned.get(owner)?.kept.get(key)
    if (known && !isOld(known)) return known
    const { promise, resolve } = deferred()
    this.#underWay.set(name, promise)
    try {
      const kept = await work()
      if (kept) this.#keep({ owner, key }, { ...kept, at: Date.now() })
    } finally {
      this.#underWay.delete(name)
      resolve()
    }
  }

  #keep({ owner, key }: AnswerKey, answer: Kept): void {
    const owned = this.#owned.get(owner) ?? { kept: new Map<string, Kept>(), chars: 0 }
    this.#owned.set(owner, owned)
    this.#forget(owned, key)
    owned.kept.set(key, answer)
    this.#count(owned, charsOf(key, answer))
    this.#forgetOld()
    while (this.#chars > this.#maxChars) this.#forgetOldest(this.#largest())
  }

  #forgetOld(): void {
    for (const [owner, owned] of this.#owned) {
      for (const [key, answer] of owned.kept) {
        if (!isOld(answer)) break
        this.#forget(owned, key)
      }
      if (owned.kept.size === 0) this.#owned.delete(owner)
    }
  }

  #largest(): Owned {
    return [...this.#owned.values()].reduce((most, other) => (other.chars > most.chars ? other : most))
  }

  #forgetOldest(owned: Owned): void {
    for (const key of owned.kept.keys()) {
      this.#forget(owned, key)
      return
    }
  }

  #forget(owned: Owned, key: string): void {
    const answer = owned.kept.get(key)
    if (!answer) return
    owned.kept.delete(key)
    this.#count(owned, -charsOf(key, answer))
  }

  #count(owned: Owned, chars: number): void {
    owned.chars += chars
    this.#chars += chars
  }
}

function isOld({ at }: Kept): boolean {
  return Date.now() - at > KEEP_ANSWER_MS
}

/** What an answer takes, in UTF-16 units. */
export function charsOf(key: string, { request, text }: Answer): number {
  return key.length + request.length + text.length + ENTRY_CHARS
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
