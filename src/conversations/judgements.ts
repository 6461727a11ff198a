import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'
import type { Catalog } from '../ingest/store/catalog.ts'
import { Conversations } from './conversations.ts'
import type { Judgement } from './items.ts'
import { toStoredJson } from './stored-json.ts'

export class Judgements {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Lists the conversation, so that it stays. Throws `conflict` if the answer is not complete. */
  async judge(id: string, turn: number, judgement: Judgement | undefined): Promise<void> {
    await this.#catalog.transaction(async inside => {
      const conversations = new Conversations(inside)
      const items = await conversations.readTurnItems(id, turn, turn)
      const last = items.findLast(item => item.kind === 'message' && item.answer !== undefined)
      if (last?.kind !== 'message')
        throw new AppError('conflict', localizable`The answer ${`${id}.${turn}`} is not complete.`)
      const { number, role, content, isIncomplete, extra } = last
      const answer = { ...last.answer, judgement }
      const body = toStoredJson({ role, content, isIncomplete, answer, extra })
      const sql = 'UPDATE conversation_items SET body = ? WHERE conversation_id = ? AND number = ?'
      await inside.run(sql, body, id, number)
      await conversations.update(id, {})
    })
  }

  async listTurns(id: string): Promise<readonly number[]> {
    const sql = `SELECT turn FROM conversation_items WHERE conversation_id = ? AND kind = 'message'
      AND body ->> '$.answer.judgement.rating' IS NOT NULL ORDER BY number`
    return (await this.#catalog.all<{ turn: number }>(sql, id)).map(({ turn }) => turn)
  }
}
