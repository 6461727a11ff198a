import type { Tables } from '../ingest/store/catalog.ts'

/** Keyed by the catalog format that added them. */
export const conversationTables: Tables = {
  5: [
    `CREATE TABLE responses (
    id TEXT PRIMARY KEY, previous_id TEXT, status TEXT NOT NULL, messages TEXT NOT NULL, input TEXT NOT NULL,
    body TEXT NOT NULL, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
    'CREATE INDEX responses_by_time ON responses (created_at)',
  ],
  11: [
    `CREATE TABLE conversations (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, metadata TEXT NOT NULL, turns INTEGER NOT NULL, items INTEGER NOT NULL,
    bytes INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
    'CREATE INDEX conversations_by_use ON conversations (updated_at, id)',
    `CREATE TABLE conversation_items (
    conversation_id TEXT NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL, turn INTEGER NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL, created_at INTEGER NOT NULL
  )`,
    'CREATE UNIQUE INDEX conversation_items_in_order ON conversation_items (conversation_id, number)',
    'CREATE INDEX conversation_items_by_turn ON conversation_items (conversation_id, turn, number)',
    'CREATE UNIQUE INDEX conversation_items_by_id ON conversation_items (id, conversation_id)',
    `CREATE TABLE runs (
    id TEXT PRIMARY KEY, conversation_id TEXT, turn INTEGER NOT NULL, status TEXT NOT NULL, request TEXT NOT NULL,
    error TEXT, first_event INTEGER NOT NULL, events INTEGER NOT NULL, created_at INTEGER NOT NULL, ended_at INTEGER
  ) WITHOUT ROWID`,
    'CREATE INDEX runs_by_conversation ON runs (conversation_id, first_event)',
    'CREATE INDEX runs_by_time ON runs (created_at)',
    `CREATE TABLE run_events (
    run_id TEXT NOT NULL, number INTEGER NOT NULL, events TEXT NOT NULL, PRIMARY KEY (run_id, number)
  ) WITHOUT ROWID`,
  ],
  /** Small indexes find large rows and their sizes; without row ids complete rows would be read. */
  13: [
    'ALTER TABLE responses RENAME TO older_responses',
    `CREATE TABLE responses (
    id TEXT NOT NULL UNIQUE, previous_id TEXT, status TEXT NOT NULL, messages TEXT NOT NULL, input TEXT NOT NULL,
    body TEXT NOT NULL, created_at INTEGER NOT NULL
  )`,
    'INSERT INTO responses SELECT id, previous_id, status, messages, input, body, created_at FROM older_responses',
    'DROP TABLE older_responses',
    'CREATE INDEX responses_by_time ON responses (created_at)',
    'CREATE INDEX responses_by_size ON responses (id, previous_id, octet_length(messages))',
  ],
  /** Requests may have megabytes; a separate table keeps them out of state queries. */
  14: [
    'CREATE TABLE run_requests (run_id TEXT NOT NULL PRIMARY KEY, request TEXT NOT NULL)',
    'INSERT INTO run_requests SELECT id, request FROM runs',
    'ALTER TABLE runs DROP COLUMN request',
  ],
  16: [
    'CREATE TABLE file_uses (file_id TEXT NOT NULL, owner_id TEXT NOT NULL, PRIMARY KEY (file_id, owner_id)) WITHOUT ROWID',
    'CREATE INDEX file_uses_by_owner ON file_uses (owner_id)',
    `INSERT OR IGNORE INTO file_uses SELECT part.value, conversation_id FROM conversation_items, json_tree(body, '$.content') AS part
    WHERE kind = 'message' AND part.key = 'file' AND part.type = 'text'`,
    `INSERT OR IGNORE INTO file_uses SELECT part.value, responses.id FROM responses, json_tree(messages) AS part
    WHERE part.key = 'file' AND part.type = 'text'`,
  ],
  /** Finds a question by its client id in `/api/chat`. */
  18: [
    `CREATE INDEX conversation_items_by_chat ON conversation_items (conversation_id, body ->> '$.extra.chat', number)
    WHERE kind = 'message' AND body ->> '$.extra.chat' IS NOT NULL`,
  ],
  /** Conversations of one answer that nobody has continued. */
  20: [
    'ALTER TABLE conversations ADD COLUMN is_unlisted INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX conversations_unlisted ON conversations (id) WHERE is_unlisted = 1',
  ],
  30: [
    `CREATE INDEX IF NOT EXISTS runs_under_way ON runs (created_at) WHERE status = 'in_progress'`,
  ],
}
