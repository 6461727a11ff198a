import type { Statements } from '../catalog.ts'
import { listWithAttached } from './removed-rows.ts'

export type Erased = { readonly kind: 'document' | 'file' | 'collection'; readonly id: string }

export type Erasable = {
  readonly documents: readonly string[]
  readonly files: readonly string[]
  readonly contents: readonly string[]
  readonly collections: readonly string[]
}

const IN_LIST = 'IN (SELECT value FROM json_each(?))'

const OWN: Readonly<Record<Erased['kind'], string>> = {
  document: 'SELECT id FROM documents WHERE id = ?',
  file: 'SELECT id FROM documents WHERE file_id = ?',
  collection: 'SELECT id FROM documents WHERE collection_id = ?',
}

const EARLIER: Readonly<Record<Erased['kind'], string>> = {
  document: `SELECT deletions.id FROM deletions LEFT JOIN documents ON documents.id = ?1
    WHERE subject_id = ?1 OR (deletions.collection_id = documents.collection_id AND deletions.source = documents.source)`,
  file: 'SELECT id FROM deletions WHERE subject_id = ?1',
  collection: 'SELECT id FROM deletions WHERE collection_id = ?1',
}

export async function findErasable(catalog: Statements, erased: Erased): Promise<Erasable> {
  const { kind, id } = erased
  const list = async (sql: string, ...values: readonly string[]) =>
    (await catalog.all<{ id: string }>(sql, ...values)).map(row => row.id)
  const deletions = JSON.stringify(await list(EARLIER[kind], id))
  const deletedRows = `FROM deleted_rows WHERE deletion_id ${IN_LIST}`
  const own = await listWithAttached(catalog, await list(OWN[kind], id))
  const earlier = await list(`SELECT id ${deletedRows} AND kind = 'documents'`, deletions)
  const documents = [...new Set([...own, ...earlier])]
  const ids = JSON.stringify(documents)
  const contents = await list(
    `SELECT sha256 AS id FROM versions WHERE document_id ${IN_LIST}
     UNION SELECT files.sha256 FROM files JOIN documents ON documents.file_id = files.id WHERE documents.id ${IN_LIST}
     UNION SELECT sha256 ${deletedRows} AND sha256 IS NOT NULL
     UNION SELECT sha256 FROM files WHERE id = ?`,
    ids,
    ids,
    deletions,
    kind === 'file' ? id : '',
  )
  const collections = await list(
    `SELECT DISTINCT collection_id AS id FROM documents WHERE id ${IN_LIST}
     UNION SELECT collection_id FROM versions WHERE document_id ${IN_LIST}`,
    ids,
    ids,
  )
  return {
    documents,
    contents,
    files: kind === 'file' ? [id] : [],
    collections: [...new Set([...collections, ...(kind === 'collection' ? [id] : [])])],
  }
}

type CatalogCounts = {
  readonly documents: number
  readonly versions: readonly number[]
  readonly jobs: number
  readonly files: number
}

export async function countErasable(
  catalog: Statements,
  { documents, files }: Erasable,
): Promise<CatalogCounts> {
  const count = async (sql: string, ids: readonly string[]) =>
    (await catalog.get<{ count: number }>(sql, JSON.stringify(ids)))?.count ?? 0
  const versions = await catalog.all<{ version: number }>(
    `SELECT version FROM versions WHERE document_id ${IN_LIST}`,
    JSON.stringify(documents),
  )
  return {
    documents:
      (await count(`SELECT count(*) AS count FROM documents WHERE id ${IN_LIST}`, documents)) +
      (await count(
        `SELECT count(*) AS count FROM deleted_rows WHERE kind = 'documents' AND id ${IN_LIST}`,
        documents,
      )),
    versions: versions.map(({ version }) => version),
    jobs: await count(`SELECT count(*) AS count FROM jobs WHERE document_id ${IN_LIST}`, documents),
    files: await count(`SELECT count(*) AS count FROM files WHERE id ${IN_LIST}`, files),
  }
}
