import type { Statements } from '../catalog.ts'
import { filterAttributes } from '../filter-attributes.ts'
import { DOCUMENT_ROWS, type DocumentRow, toDocument } from './document-rows.ts'
import { recordEvents } from './events.ts'

const IN_LIST = 'IN (SELECT value FROM json_each(?))'

export async function listWithAttached(
  catalog: Statements,
  ids: readonly string[],
): Promise<readonly string[]> {
  const sql = `WITH RECURSIVE tree (id) AS (
      SELECT id FROM documents WHERE id ${IN_LIST}
      UNION SELECT documents.id FROM documents JOIN tree ON documents.parent_id = tree.id
    ) SELECT id FROM tree`
  return (await catalog.all<{ id: string }>(sql, JSON.stringify(ids))).map(row => row.id)
}

/**
 * Removes attachments, too. Returns contents that may be unused now. Call it inside the
 * transaction of the parent.
 */
export async function removeDocuments(
  catalog: Statements,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const all = await listWithAttached(catalog, ids)
  const list = JSON.stringify(all)
  await recordDeletions(catalog, all)
  const contents = `SELECT files.sha256 FROM documents JOIN files ON files.id = documents.file_id WHERE documents.id ${IN_LIST}
    UNION SELECT sha256 FROM versions WHERE document_id ${IN_LIST} AND state = 'published'`
  const shas = (await catalog.all<{ sha256: string }>(contents, list, list)).map(row => row.sha256)
  await catalog.run(`UPDATE versions SET state = 'retired' WHERE document_id ${IN_LIST}`, list)
  await catalog.run(`DELETE FROM documents WHERE id ${IN_LIST}`, list)
  return shas
}

async function recordDeletions(catalog: Statements, ids: readonly string[]): Promise<void> {
  const sql = `${DOCUMENT_ROWS} WHERE documents.id IN (SELECT value FROM json_each(?1)
    UNION SELECT root_id FROM documents WHERE root_id IS NOT NULL AND id IN (SELECT value FROM json_each(?1)))`
  const rows = await catalog.all<DocumentRow>(sql, JSON.stringify(ids))
  const byId = new Map(rows.map(row => [row.id, row]))
  const deleted = ids.flatMap(id => byId.get(id) ?? [])
  await recordEvents(
    catalog,
    deleted.map(row => ({
      type: 'document.deleted',
      documentId: row.id,
      collectionId: row.collection_id,
      source: row.source,
      attributes: filterAttributes(toDocument(byId.get(row.root_id ?? '') ?? row)),
    })),
  )
}

export async function removeCollection(
  catalog: Statements,
  id: string,
): Promise<readonly string[]> {
  const contents = `SELECT sha256 FROM versions WHERE collection_id = ?1
    UNION SELECT files.sha256 FROM documents JOIN files ON files.id = documents.file_id WHERE documents.collection_id = ?1`
  const shas = (await catalog.all<{ sha256: string }>(contents, id)).map(row => row.sha256)
  await recordEvents(catalog, [{ type: 'collection.deleted', collectionId: id }])
  for (const table of ['documents', 'versions', 're_embeddings'])
    await catalog.run(`DELETE FROM ${table} WHERE collection_id = ?`, id)
  await catalog.run('DELETE FROM collections WHERE id = ?', id)
  return shas
}
