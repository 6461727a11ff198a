import { setTimeout as sleep } from 'node:timers/promises'
import { CATALOG_NOW, type Statements, type Tables } from '../../ingest/store/catalog.ts'
import { createId, hashParts } from '../../system/digest.ts'

/** Time that answers are repeated, so that clients may retry for a day. */
const KEEP_ANSWER_MS = 24 * 60 * 60 * 1000

/** UTF-16 units per tenant, so that the catalog stays small. */
export const MAX_ALL_CHARS = 32 * 1024 * 1024

/** Overhead of an entry in characters; protects the limit. */
const ENTRY_CHARS = 200

/** `request` detects another request under the same key. */
export type Answer = { readonly request: string; readonly status: number; readonly text: string }

export type AnswerKey = { readonly owner: string; readonly key: string }

type OnceOptions = {
  readonly signal: AbortSignal
  readonly onUnkept: (error: unknown) => void
}

/** Silence of a dead process, so that retries continue. */
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
 * Stores answers by idempotency key. One process works under a key; others wait, or replace a dead
 * one.
 */
export class StoredAnswers {
  static readonly tables: Tables = {
    /** A row is a claim (without text) or an answer, until its time. */
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

  /** Returns undefined if the work was done now. Waits for running work. */
  async runOnce(
    { owner, key }: AnswerKey,
    { signal, onUnkept }: OnceOptions,
    work: () => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    const claim = { id: hashParts(`${owner} ${key}`), token: createId('') }
    for (;;) {
      const row = await this.#find(claim)
      if (row && row.text !== null && row.request !== null)
        return { ...row, request: row.request, text: row.text }
      if (!row && (await this.#claim(claim, owner))) break
      await sleep(POLL_MS, undefined, { signal })
    }
    const answer = await this.#runWithHeartbeat(claim, work)
    try {
      await (answer
        ? this.#keep(claim, owner, {
            answer,
            chars: key.length + answer.request.length + answer.text.length + ENTRY_CHARS,
          })
        : this.#forget(claim))
    } catch (error) {
      onUnkept(error) // done, and therefore answered
    }
    return undefined
  }

  async #find({ id }: Claim): Promise<Row | undefined> {
    const sql = `SELECT request, status, text FROM kept_answers WHERE id = ? AND until > ${CATALOG_NOW}`
    return await this.#catalog.get<Row>(sql, id)
  }

  /** Returns false if another process was faster. */
  async #claim({ id, token }: Claim, owner: string): Promise<boolean> {
    const sql = `INSERT INTO kept_answers (id, owner, token, until) VALUES (?, ?, ?, ${CATALOG_NOW} + ?)
      ON CONFLICT (id) DO UPDATE SET token = excluded.token, until = excluded.until, request = NULL, status = NULL, text = NULL, chars = NULL
      WHERE kept_answers.until <= ${CATALOG_NOW}`
    return (await this.#catalog.run(sql, id, owner, token, CLAIM_MS)) > 0
  }

  /** Tolerates failed heartbeats, because a claim lasts several. */
  async #runWithHeartbeat<Result>(
    { id, token }: Claim,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const sql = `UPDATE kept_answers SET until = ${CATALOG_NOW} + ? WHERE id = ? AND token = ?`
    const sendHeartbeat = () => void this.#catalog.run(sql, CLAIM_MS, id, token).catch(() => {})
    const timer = setInterval(sendHeartbeat, BEAT_MS).unref()
    try {
      return await work()
    } catch (error) {
      await this.#forget({ id, token }).catch(() => {}) // otherwise it expires soon; the first failure matters more
      throw error
    } finally {
      clearInterval(timer)
    }
  }

  /** Stores nothing if another process has taken over. */
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
