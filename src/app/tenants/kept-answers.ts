import { setTimeout as sleep } from 'node:timers/promises'
import { CATALOG_NOW, type Statements, type Tables } from '../../ingest/store/catalog.ts'
import { createId, digestParts } from '../../system/digest.ts'

/** Answers are given again for so long. */
const KEEP_ANSWER_MS = 24 * 60 * 60 * 1000

/** Of all that is kept of a tenant, keys included, in UTF-16 units. */
export const MAX_ALL_CHARS = 32 * 1024 * 1024

/** What an entry takes besides its texts, counted as characters. */
const ENTRY_CHARS = 200

/** What was answered; `request` tells one request from another that was sent with the same key by mistake. */
export type Answer = { readonly request: string; readonly status: number; readonly text: string }

/** Whose answer it is, a tenant's, and which of its. */
export type AnswerKey = { readonly owner: string; readonly key: string }

type OnceOptions = {
  readonly signal: AbortSignal
  /** Told why what was done now cannot be answered again. */
  readonly onUnkept: (error: unknown) => void
}

/** A process that says nothing for so long has died over its work. */
const CLAIM_MS = 30_000
const BEAT_MS = 10_000
const POLL_MS = 100

type Row = {
  readonly request: string | null
  readonly status: number
  readonly text: string | null
}
type Claim = { readonly id: string; readonly token: string }

/**
 * What was answered under keys, so that nothing is done twice under one: in the catalog and by its clock, for all processes that use it.
 * One at a time works under a key, the others wait for its answer; what a process died over is done by whoever asks again. Of each
 * tenant so much is kept, the latest.
 */
export class KeptAnswers {
  static readonly tables: Tables = {
    /** A row is somebody's until its time: of who does the work, which has no text, or an answer. */
    4: [
      `CREATE TABLE kept_answers (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, token TEXT NOT NULL, until INTEGER NOT NULL,
    request TEXT, status INTEGER, text TEXT, chars INTEGER
  ) WITHOUT ROWID`,
      'CREATE INDEX kept_answers_by_owner ON kept_answers (owner, until)',
    ],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** What was kept of the work under this key; undefined when it was done now. What is under way is waited for. */
  async once(
    { owner, key }: AnswerKey,
    { signal, onUnkept }: OnceOptions,
    work: () => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    const claim = { id: digestParts(`${owner} ${key}`), token: createId('') }
    for (;;) {
      const row = await this.#find(claim)
      if (row && row.text !== null && row.request !== null)
        return { ...row, request: row.request, text: row.text }
      if (!row && (await this.#claim(claim, owner))) break
      await sleep(POLL_MS, undefined, { signal })
    }
    const answer = await this.#working(claim, work)
    try {
      await (answer
        ? this.#keep(claim, owner, { answer, chars: charsOf(key, answer) })
        : this.#forget(claim))
    } catch (error) {
      onUnkept(error) // it is done, and so it is answered
    }
    return undefined
  }

  async #find({ id }: Claim): Promise<Row | undefined> {
    const sql = `SELECT request, status, text FROM kept_answers WHERE id = ? AND until > ${CATALOG_NOW}`
    return await this.#catalog.get<Row>(sql, id)
  }

  /** False where another was quicker. */
  async #claim({ id, token }: Claim, owner: string): Promise<boolean> {
    const sql = `INSERT INTO kept_answers (id, owner, token, until) VALUES (?, ?, ?, ${CATALOG_NOW} + ?)
      ON CONFLICT (id) DO UPDATE SET token = excluded.token, until = excluded.until, request = NULL, status = NULL, text = NULL, chars = NULL
      WHERE kept_answers.until <= ${CATALOG_NOW}`
    return (await this.#catalog.run(sql, id, owner, token, CLAIM_MS)) > 0
  }

  /** A beat that fails may not be the last one: the claim lasts for several. */
  async #working<Result>({ id, token }: Claim, work: () => Promise<Result>): Promise<Result> {
    const sql = `UPDATE kept_answers SET until = ${CATALOG_NOW} + ? WHERE id = ? AND token = ?`
    const beat = () => void this.#catalog.run(sql, CLAIM_MS, id, token).catch(() => {})
    const timer = setInterval(beat, BEAT_MS).unref()
    try {
      return await work()
    } catch (error) {
      await this.#forget({ id, token }).catch(() => {}) // else its time is over soon, and what failed says more
      throw error
    } finally {
      clearInterval(timer)
    }
  }

  /** Another may have taken it over meanwhile. */
  async #keep(
    { id, token }: Claim,
    owner: string,
    { answer, chars }: { answer: Answer; chars: number },
  ): Promise<void> {
    const { request, status, text } = answer
    const write = `UPDATE kept_answers SET until = ${CATALOG_NOW} + ?, request = ?, status = ?, text = ?, chars = ? WHERE id = ? AND token = ?`
    const summed =
      'SELECT id, sum(chars) OVER (ORDER BY until DESC, id) AS total FROM kept_answers WHERE owner = ? AND text IS NOT NULL'
    await this.#catalog.transaction(async inside => {
      await inside.run(write, KEEP_ANSWER_MS, request, status, text, chars, id, token)
      await inside.run(`DELETE FROM kept_answers WHERE until <= ${CATALOG_NOW}`)
      const tooMany = `DELETE FROM kept_answers WHERE id IN (SELECT id FROM (${summed}) AS sums WHERE total > ?)`
      await inside.run(tooMany, owner, MAX_ALL_CHARS)
    })
  }

  async #forget({ id, token }: Claim): Promise<void> {
    await this.#catalog.run('DELETE FROM kept_answers WHERE id = ? AND token = ?', id, token)
  }
}

/** What an answer takes, in UTF-16 units. */
function charsOf(key: string, { request, text }: Answer): number {
  return key.length + request.length + text.length + ENTRY_CHARS
}
