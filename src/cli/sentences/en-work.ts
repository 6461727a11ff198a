import type { Job } from '../../ingest/store/catalog/jobs.ts'
import type { PutDocumentJson } from '../../wire/document.ts'
import type { ReEmbedResultJson } from '../../wire/job.ts'
import type { SourceJson } from '../../wire/source.ts'
import type { TableJson } from '../../wire/table.ts'

/** `content` and `piece` are steps of export and import. */
export type Step = NonNullable<Job['stage']> | 'page' | 'content' | 'piece'

type Column = TableJson['columns'][number]
type Change = Pick<ReEmbedResultJson, 'collection' | 'embedder' | 'engine' | 'before'>
type UnfinishedJob = { readonly id: string; readonly state: Job['state']; readonly reason: string }

export type FieldType = 'string' | 'number' | 'integer' | 'boolean' | 'array'

const FIELDS: Readonly<Record<FieldType, string>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'yes or no',
  array: 'several, with commas',
}

const STEPS: Readonly<Record<Step, string>> = {
  parse: 'reading page',
  chunk: 'cutting chunk',
  embed: 'embedding chunk',
  write: 'indexing chunk',
  page: 'page',
  content: 'content',
  piece: 'part',
}

export const enWork = {
  starting: 'starting',
  stage: (stage: Step, done: number, total?: number) =>
    `${STEPS[stage]} ${done}${total === undefined ? '' : `/${total}`}`,
  step: (step: Step, done: number, total?: number) =>
    `${STEPS[step]} ${done}${total ? ` of ${total}` : ''}`,
  reEmbedding: (embedder: string) => `re-embedding, ${embedder}`,
  jobs: {
    state: (state: Job['state']): string => state,
    remaining: (seconds: number) => `${seconds} s left`,
    shown: (listed: number, total: number) =>
      `Showing ${listed} of ${total} jobs, newest first. Use --limit ${total} for all.`,
    unattended: (count: number) =>
      count === 1
        ? '1 job is waiting, and no process is working on it now: the next passim index or passim serve resumes it.'
        : `${count} jobs are waiting, and no process is working on them now: the next passim index or passim serve resumes them.`,
    cancelled: (source: string) => `Cancelled ${source}.`,
    working: 'passim work is indexing queued documents and answering batches.',
  },
  sync: {
    state: (state: SourceJson['state']): string => state,
    finished: (time: string) => `last ${time}`,
    next: (time: string) => `next ${time}`,
    failed: (count: number) => `${count} failed`,
    removed: (name: string, documents: string) => `Deleted ${documents} of ${name}.`,
  },
  reEmbed: {
    unchanged: ({ collection, embedder }: Change) => `${collection} already uses ${embedder}.`,
    unfinished: ({ collection, embedder }: Change, { id, state, reason }: UnfinishedJob) =>
      `${collection} still uses ${embedder}: job ${id} is ${state}. ${reason}`,
    done: ({ collection, embedder, before }: Change, size: string) =>
      `${collection} now uses ${embedder} instead of ${before}: ${size}`,
  },
  move: {
    unchanged: ({ collection, engine }: Change) =>
      `The index of ${collection} is already in ${engine}.`,
    unfinished: ({ collection, engine }: Change, { id, state, reason }: UnfinishedJob) =>
      `The index of ${collection} remains in ${engine}: job ${id} is ${state}. ${reason}`,
    done: ({ collection, engine }: Change, size: string) =>
      `The index of ${collection} is now in ${engine}: ${size}`,
  },
  put: (result: PutDocumentJson['result'], id: string, chunks: string) =>
    `${result}: ${id}, ${chunks}`,
  synonyms: {
    none: (collection: string) => `${collection} has no synonyms.`,
    cleared: (collection: string) => `${collection} has no synonyms now.`,
    set: (collection: string, groups: string) => `${collection} has ${groups} of synonyms now.`,
  },
  tables: {
    page: (page: number) => `, page ${page}`,
    cut: ', cut',
    noName: '(no name)',
    kind: (kind: Column['kind'], unit: string): string => (unit ? `${kind} in ${unit}` : kind),
    ambiguous: 'text, because its numbers are ambiguous',
  },
  chunk: (id: string, tokens: string, headings: string) =>
    `${id}, ${tokens}${headings && ` under ${headings}`}`,
  switchedOff: 'switched off',
  note: 'note',
  conversations: {
    none: 'No conversations.',
    noneJudged: 'No answer is rated yet, so nothing was written.',
    empty: 'Nothing yet',
    size: (title: string, turns: string) => `Conversation ${title}: ${turns}, permanently`,
    deleted: (id: string) => `Deleted conversation ${id}.`,
  },
  forms: {
    heading: (server: string, message: string) => `The MCP server ${server} asks: ${message}`,
    accept: 'Accept? (yes or no): ',
    hint: (type: FieldType, isRequired: boolean) =>
      `${FIELDS[type]}, ${isRequired ? 'empty to decline' : 'optional'}`,
    wrong: (problems: string) => `This does not fit: ${problems}.`,
  },
  migrated: (stores: string, place: string) =>
    `Moved ${stores} to ${place}. If contents or index move too, run passim verify --repair next. passim doctor checks the result.`,
}
