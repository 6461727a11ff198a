import { z } from 'zod'

/** What the routes of our own, and the adapters to other services, answer, as `/openapi.json` tells it. */
const milliseconds = z.int().describe('In Unix milliseconds.')
const pages = z.array(z.int()).describe('First and last page, in formats that have pages.')
const failure = z.object({ code: z.string(), message: z.string() })

const place = {
  documentId: z.string(),
  source: z.string(),
  headings: z.array(z.string()).describe('Outermost first.'),
  page: z.int().optional(),
  pages: pages.optional(),
  charStart: z.int(),
  charEnd: z.int().describe('Behind the last character.'),
  text: z.string().describe('The words at this place.'),
}

const hit = z.looseObject({
  ...place,
  score: z.number().describe('Comparable within one answer only.'),
  confidence: z
    .number()
    .optional()
    .describe('How likely it answers, 0 to 1, whatever else was found.'),
  weak: z.boolean().describe('It is likely about something else.'),
  isListing: z.literal(true).optional().describe('It only lists what stands elsewhere.'),
  chunkId: z.string(),
  title: z.string(),
})

const kind = z.enum(['collection', 'document', 'file'])

const deletion = z.object({
  id: z.string(),
  kind,
  subjectId: z.string().describe('Of the collection, document or file.'),
  name: z
    .string()
    .describe('Of the collection, of that which the document was in, or of the file.'),
  collectionId: z.string().optional(),
  source: z.string().optional(),
  documents: z.int(),
  chunks: z.int(),
  bytes: z.int(),
  deletedAt: milliseconds,
  expiresAt: milliseconds,
})

const restored = z.object({
  restored: z.string().describe('The id of the collection, document or file.'),
  kind,
  collection: z.string(),
  source: z.string().optional(),
  documents: z.int(),
})

const warning = z.looseObject({ code: z.string(), message: z.string() })

const search = z.looseObject({
  query: z.string(),
  mode: z.string(),
  hits: z.array(hit),
  warnings: z.array(warning).optional(),
  context: z.unknown().optional().describe('The hits as text for a model, with `contextTokens`.'),
  why: z
    .unknown()
    .optional()
    .describe('Why the document named by `why` is, or is not, among the hits.'),
  seconds: z.number(),
})

const citation = z.looseObject({
  ...place,
  marker: z.int().describe('`3` for `[3]` in the text.'),
  doc: z.string().describe('The base name of the source.'),
  quoteVerified: z.literal(true).describe('Read back from the stored document and found equal.'),
  verified: z.literal(true).describe('The older name of `quoteVerified`.'),
  support: z
    .enum(['stated', 'not-stated', 'unknown'])
    .describe('Whether that place states the claim.'),
})

const toolCitation = z.looseObject({
  marker: z
    .int()
    .describe('`3` for `[3]` in the text, numbered together with the citations of documents.'),
  tool: z.string(),
  callId: z.string(),
  arguments: z.string().describe('Of the call, as the model wrote them.'),
  charStart: z.int().describe('Within what the tool answered.'),
  charEnd: z.int(),
  text: z.string().describe('These words of its answer.'),
  support: z
    .enum(['stated', 'not-stated', 'unknown'])
    .describe('Whether these words state the claim.'),
})

const answer = z.looseObject({
  question: z.string(),
  answer: z.string(),
  abstained: z.boolean().describe('The documents do not say.'),
  mode: z.enum(['extractive', 'model']),
  confidence: z
    .number()
    .optional()
    .describe('How likely the quotations of an extractive answer answer, 0 to 1.'),
  citations: z.array(citation),
  toolCitations: z.array(toolCitation).optional().describe('What is said by what tools answered.'),
  unsupported: z
    .array(z.string())
    .optional()
    .describe(
      'Claims that no source supports: claims that a source contradicts, quotations that are in no source, and claims without any evidence.',
    ),
  unconfirmed: z
    .array(z.string())
    .optional()
    .describe(
      'Claims that the sources neither state nor contradict. Those without any evidence are in unsupported as well.',
    ),
  warnings: z.array(warning).optional(),
  usage: z
    .looseObject({ promptTokens: z.int(), completionTokens: z.int(), totalTokens: z.int() })
    .optional(),
  seconds: z.number(),
})

const interval = z.tuple([z.number(), z.number()]).describe('Of 95 %.')
const evaluation = z.object({
  results: z.array(
    z.looseObject({
      mode: z.string(),
      precise: z.boolean().optional(),
      recall10: z.number().describe('Share of the questions whose first right hit is among ten.'),
      mrr10: z
        .number()
        .describe('Mean of one through the place of the first right hit, 0 beyond the tenth.'),
      ndcg10: z.number(),
      ci95: z.object({ recall10: interval, mrr10: interval, ndcg10: interval }),
      p50Ms: z.number(),
      p95Ms: z.number(),
    }),
  ),
  comparison: z
    .object({
      difference: z.number().describe('What the second gains over the first in `mrr10`.'),
      ci95: interval,
      p: z.number(),
      queries: z.int(),
    })
    .optional(),
  questions: z.array(
    z.object({
      question: z.string(),
      document: z.string().optional(),
      words: z.string().optional(),
      places: z
        .array(z.int().nullable())
        .describe('Of the first right hit, for each of the settings; null beyond 50.'),
    }),
  ),
})

const conversationHead = {
  id: z.string(),
  title: z.string(),
  created_at: z.int().describe('In Unix seconds.'),
  updated_at: z.int().describe('In Unix seconds.'),
}
const conversation = z.looseObject({ ...conversationHead, turns: z.int() })
const turn = z.looseObject({
  turn: z.int().describe('From 1 on.'),
  question: z.string(),
  answer: z.string().optional(),
  citations: z.array(citation).optional(),
  toolCitations: z.array(toolCitation).optional(),
  unsupported: z.array(z.string()).optional(),
  unconfirmed: z.array(z.string()).optional(),
  status: z.enum(['completed', 'in_progress', 'stopped', 'failed']),
  superseded: z.boolean().optional().describe('A later turn takes its place.'),
  created_at: z.int().describe('In Unix seconds.'),
  error: failure.optional(),
})

const key = z.looseObject({
  id: z.string(),
  name: z.string(),
  tenant: z.string(),
  scope: z.string(),
  createdAt: milliseconds,
  lastUsedAt: milliseconds.optional(),
  revokedAt: milliseconds.optional(),
})

const document = z.looseObject({
  id: z.string(),
  collectionId: z.string(),
  fileId: z.string(),
  source: z.string(),
  name: z.string(),
  title: z.string(),
  status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
  searchable: z
    .enum(['words', 'all'])
    .optional()
    .describe('Found by its words alone, or by its meaning too; absent while it cannot be found.'),
  mediaType: z.string(),
  bytes: z.int(),
  pages: z.int().optional(),
  chunks: z.int(),
  tokens: z.int(),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  warnings: z.array(warning),
  error: failure.optional(),
  createdAt: milliseconds,
  indexedAt: milliseconds.optional(),
  characters: z.int().optional(),
  report: z.array(z.unknown()).optional().describe('What was found on each page.'),
})

const block = z.looseObject({
  kind: z.string(),
  text: z.string(),
  charStart: z.int(),
  charEnd: z.int(),
})

const table = z.looseObject({
  name: z.string(),
  caption: z.string().nullable(),
  page: z.int().nullable(),
  columns: z.array(
    z.looseObject({ name: z.string(), kind: z.string(), unit: z.string().nullable() }),
  ),
  rows: z.array(z.array(z.string())),
})

const passage = z.looseObject({
  ...place,
  doc: z.string(),
  title: z.string(),
  boxes: z.array(z.unknown()),
})

const job = z.looseObject({
  id: z.string(),
  documentId: z.string().optional(),
  collectionId: z.string(),
  source: z.string(),
  state: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  stage: z.enum(['parse', 'chunk', 'embed', 'write']).optional(),
  done: z.int(),
  total: z.int().optional(),
  secondsLeft: z.number().optional(),
  startedAt: milliseconds.optional(),
  finishedAt: milliseconds.optional(),
  error: failure.optional(),
})

const reEmbedding = z.looseObject({
  collection: z.string(),
  id: z.string(),
  before: z.string().optional().describe('The model, or the engine, until now.'),
  job: job.optional().describe('Absent where nothing is to be done.'),
})

const reranked = z.object({
  id: z.string(),
  results: z.array(
    z.object({
      index: z.int().describe('Of the document in the request.'),
      relevance_score: z.number(),
      document: z.object({ text: z.string() }).optional(),
    }),
  ),
  meta: z.looseObject({}),
})

const records = z.object({
  records: z.array(
    z.object({
      content: z.string(),
      score: z.number(),
      title: z.string(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
})

const threadMessage = z.looseObject({
  thread_id: z.string(),
  message_id: z.string(),
  local_thread_id: z.string(),
  local_message_id: z.string(),
  role: z.enum(['system', 'user', 'assistant', 'function', 'status']),
  content: z
    .looseObject({})
    .describe('`type` and `text`; of a status `code`, `message` and `extra`.'),
  input_skill_id: z.int().optional(),
  attachments: z.array(z.looseObject({ file_id: z.string() })),
  extra: z.looseObject({}),
  created_at: z.int().describe('In Unix seconds.'),
})

export const OWN_ANSWERS = {
  DeletionList: z.object({ deletions: z.array(deletion) }),
  Restored: restored,
  ForgottenDeletion: z.object({ id: z.string(), deleted: z.literal(true) }),
  Search: search,
  Answer: answer,
  /** Of `/api/ask`: what each event has depends on its name. */
  AskEvent: z.looseObject({}),
  Evaluation: evaluation,
  /** Of `/api/evaluations`: what each event has depends on its name. */
  EvaluationEvent: z.looseObject({}),
  ConversationHead: conversation,
  ConversationPage: z.object({
    data: z.array(conversation),
    has_more: z.boolean(),
    last_id: z.string().nullable(),
  }),
  Conversation: z.object({
    ...conversationHead,
    turn_count: z.int(),
    turns: z.array(turn).describe('Oldest first; `before` pages back.'),
    has_more: z.boolean(),
  }),
  DeletedConversation: z.object({ id: z.string(), deleted: z.literal(true) }),
  ThreadMessage: threadMessage,
  ThreadMessages: z.object({ data: z.array(threadMessage), has_more: z.boolean() }),
  /** A message, pieces of one, or a heartbeat. */
  ThreadEvent: z.looseObject({ thread_id: z.string() }),
  ThreadPage: z.object({
    data: z.array(
      z.object({
        thread_id: z.string(),
        title: z.string(),
        created_at: z.int(),
        updated_at: z.int(),
      }),
    ),
    has_more: z.boolean(),
    last_id: z.string().nullable(),
  }),
  StoppedThread: z.object({ thread_id: z.string(), stopped: z.boolean() }),
  DeletedThread: z.object({ thread_id: z.string(), deleted: z.literal(true) }),
  Chat: z.object({
    id: z.string(),
    messages: z.array(
      z.looseObject({
        id: z.string(),
        role: z.string(),
        parts: z.array(z.looseObject({ type: z.string() })),
      }),
    ),
  }),
  StoppedChat: z.object({ stopped: z.boolean() }),
  StoppedConversation: z.object({ conversation: z.string(), turn: z.int(), stopped: z.boolean() }),
  Document: document.extend({ collection: z.string() }),
  DocumentEntry: document,
  DocumentPage: z.object({
    collection: z.string(),
    documents: z.array(document),
    has_more: z.boolean(),
    last: z.string().optional().describe('What `after` of the next page is.'),
  }),
  Key: key,
  KeyList: z.object({ keys: z.array(key) }),
  NewKey: key.extend({ token: z.string().describe('What `Authorization: Bearer` takes.') }),
  Page: z.looseObject({
    document: z.string(),
    doc: z.string(),
    page: z.int(),
    text: z.string(),
    blocks: z.array(block),
  }),
  Blocks: z.object({
    blocks: z.array(block),
    next: z.int().optional().describe('`start` of what follows.'),
  }),
  Tables: z.object({ tables: z.array(table) }),
  Passage: passage,
  Job: job,
  JobList: z.looseObject({ jobs: z.array(job) }),
  ReEmbedding: reEmbedding,
  Reranked: reranked,
  Records: records,
  Health: z.object({ status: z.string() }),
} as const satisfies Readonly<Record<string, z.ZodType>>
