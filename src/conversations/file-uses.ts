import type { AgentEvent } from '../agent/event.ts'
import { listMessageFiles, type Message } from '../agent/message.ts'
import { localizable, withMessage } from '../errors/localizable.ts'
import type { Statements } from '../ingest/store/catalog.ts'
import type { Files, StoredFile } from '../ingest/store/contents/files.ts'

type FileUse = { readonly fileId: string; readonly ownerId: string }

const HAS_OWNER =
  '(owner_id IN (SELECT id FROM conversations) OR owner_id IN (SELECT id FROM responses))'

export class FileUses {
  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  async note(ownerId: string, messages: readonly Message[]): Promise<void> {
    for (const fileId of listMessageFiles(messages))
      await this.#catalog.run(
        'INSERT INTO file_uses VALUES (?, ?) ON CONFLICT DO NOTHING',
        fileId,
        ownerId,
      )
  }

  async list(ownerId: string): Promise<readonly FileUse[]> {
    const sql =
      'SELECT file_id AS "fileId", owner_id AS "ownerId" FROM file_uses WHERE owner_id = ?'
    return await this.#catalog.all<FileUse>(sql, ownerId)
  }

  async listUnowned(limit: number): Promise<readonly FileUse[]> {
    const sql = `SELECT file_id AS "fileId", owner_id AS "ownerId" FROM file_uses WHERE NOT ${HAS_OWNER} LIMIT ?`
    return await this.#catalog.all<FileUse>(sql, limit)
  }

  async forget({ fileId, ownerId }: FileUse): Promise<void> {
    await this.#catalog.run(
      'DELETE FROM file_uses WHERE file_id = ? AND owner_id = ?',
      fileId,
      ownerId,
    )
  }

  async forgetAll(ownerId: string): Promise<void> {
    await this.#catalog.run('DELETE FROM file_uses WHERE owner_id = ?', ownerId)
  }
}

/** Uses per query; protects memory. */
const USES_AT_ONCE = 100

/** OpenAI's purpose of files for questions. Other files belong to no conversation. */
const ATTACHED = 'user_data'

export type UnusedFilesDeps = {
  readonly catalog: Statements
  readonly files: Pick<Files, 'find'>
  /** Deletes a file if `onlyIf` holds in the same transaction. */
  readonly deleteFileIf: (
    file: StoredFile,
    onlyIf: (inside: Statements) => Promise<boolean>,
  ) => Promise<void>
}

export async function deleteConversationFiles(
  deps: UnusedFilesDeps,
  conversationId: string,
): Promise<void> {
  for (const use of await new FileUses(deps.catalog).list(conversationId)) await release(deps, use)
}

/** Repeats deletions that a killed process left. */
export async function deleteUnusedFiles(deps: UnusedFilesDeps): Promise<void> {
  const uses = new FileUses(deps.catalog)
  for (;;) {
    const unowned = await uses.listUnowned(USES_AT_ONCE)
    if (unowned.length === 0) return
    for (const use of unowned) await release(deps, use)
  }
}

async function release(
  { catalog, files, deleteFileIf }: UnusedFilesDeps,
  use: FileUse,
): Promise<void> {
  const file = await files.find(use.fileId)
  if (file?.purpose === ATTACHED)
    await deleteFileIf(file, async inside => await isUnused(inside, use.fileId))
  await new FileUses(catalog).forget(use)
}

/** Tests conversations, responses and visible collections in the deleting transaction. */
async function isUnused(catalog: Statements, fileId: string): Promise<boolean> {
  const sql = `SELECT 1 FROM file_uses WHERE file_id = ?1 AND ${HAS_OWNER}
    UNION ALL SELECT 1 FROM documents LEFT JOIN collections ON collections.id = collection_id
    WHERE file_id = ?1 AND coalesce(hidden, 0) = 0`
  return (await catalog.get(sql, fileId)) === undefined
}

type CheckedFiles = { readonly present: readonly string[]; readonly missing: readonly string[] }

export async function checkFiles(
  files: Pick<Files, 'findAll'>,
  ids: readonly string[],
): Promise<CheckedFiles> {
  if (ids.length === 0) return { present: [], missing: [] }
  const found = new Set((await files.findAll(ids)).map(({ id }) => id))
  return { present: ids.filter(id => found.has(id)), missing: ids.filter(id => !found.has(id)) }
}

export async function* warnOfMissingFiles(
  events: AsyncIterable<AgentEvent>,
  missing: readonly string[],
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    if (event.type !== 'finish' || missing.length === 0) {
      yield event
      continue
    }
    const { result } = event
    const message = localizable`Files of this conversation no longer exist, so the answer does not use them: ${missing}.`
    const warnings = [...(result.warnings ?? []), withMessage({ code: 'missing' }, message)]
    yield { type: 'finish', result: { ...result, warnings } }
  }
}
