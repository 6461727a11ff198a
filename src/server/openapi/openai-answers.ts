import { z } from 'zod'

/**
 * What the routes under `/v1` answer, as `/openapi.json` tells it: what a client may count on. Fields of OpenAI's that always
 * have the same value here are left to its own contract, which a test holds the answers to, as it does to these.
 */
const seconds = z.int().describe('In Unix seconds.')
const notes = z.record(z.string(), z.string()).describe('Notes of the caller.')
const attributes = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable()
const score = z.number().describe('From 0 to 1; comparable within one answer only.')

/** A page of a list; `after` takes its `last_id` while there is more. */
function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().describe('Empty for an empty page.'),
    last_id: z.string().describe('What `after` of the next page is.'),
    has_more: z.boolean(),
  })
}

function deleted(object: string) {
  return z.object({ id: z.string(), object: z.literal(object), deleted: z.literal(true) })
}

const file = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: seconds,
  filename: z.string(),
  purpose: z.string(),
  status: z.enum(['processed', 'error']).describe('`error` once nothing could be read of it.'),
  status_details: z.string().optional().describe('What is wrong with it.'),
  expires_at: seconds.optional(),
})

const upload = z.object({
  id: z.string(),
  object: z.literal('upload'),
  bytes: z.int(),
  created_at: seconds,
  filename: z.string(),
  purpose: z.string(),
  status: z.enum(['pending', 'completed', 'cancelled', 'expired']),
  expires_at: seconds,
  file: file.optional().describe('Once it is completed.'),
})

const uploadPart = z.object({
  id: z.string(),
  object: z.literal('upload.part'),
  created_at: seconds,
  upload_id: z.string(),
})

const counts = z.object({
  in_progress: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  total: z.int(),
})

const vectorStore = z.object({
  id: z.string(),
  object: z.literal('vector_store'),
  created_at: seconds,
  name: z.string(),
  usage_bytes: z.int(),
  file_counts: counts,
  status: z.enum(['expired', 'in_progress', 'completed']),
  expires_after: z.object({ anchor: z.literal('last_active_at'), days: z.int() }).optional(),
  expires_at: seconds.optional(),
  last_active_at: seconds,
  metadata: notes,
})

const chunkingStrategy = z.object({
  type: z.enum(['static', 'other']),
  static: z.object({ max_chunk_size_tokens: z.int(), chunk_overlap_tokens: z.int() }).optional(),
})

const vectorStoreFile = z.object({
  id: z.string().describe('That of the file.'),
  object: z.literal('vector_store.file'),
  created_at: seconds,
  vector_store_id: z.string(),
  usage_bytes: z.int(),
  status: z.enum(['in_progress', 'completed', 'failed', 'cancelled']),
  last_error: z
    .object({
      code: z.enum(['server_error', 'unsupported_file', 'invalid_file']),
      message: z.string(),
    })
    .nullable(),
  attributes,
  chunking_strategy: chunkingStrategy.describe('The values in force.'),
})

const vectorStoreFileBatch = z.object({
  id: z.string(),
  object: z.literal('vector_store.files_batch'),
  created_at: seconds,
  vector_store_id: z.string(),
  status: z.enum(['in_progress', 'completed', 'cancelled', 'failed']),
  file_counts: counts,
})

const textContent = z.object({ type: z.literal('text'), text: z.string() })

const fileContent = z.object({
  object: z.literal('vector_store.file_content.page'),
  data: z.array(textContent).describe('The parsed text, whole.'),
  has_more: z.boolean(),
  next_page: z.string().nullable(),
})

const searchResult = z.object({
  file_id: z.string(),
  filename: z.string(),
  score,
  attributes: attributes.describe(
    'Yours; with `X-Passim-Spans: 1` the place, too, under names with `passim_`.',
  ),
  content: z.array(textContent),
})

const searchResults = z.object({
  object: z.literal('vector_store.search_results.page'),
  search_query: z.array(z.string()),
  data: z.array(searchResult),
  has_more: z.boolean(),
  next_page: z.string().nullable(),
})

const embeddings = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe('Numbers, or base64 of little-endian float32.'),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
})

const model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: seconds,
  owned_by: z.string(),
})

const chatUsage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
})

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    arguments: z.string().describe('JSON, as the model wrote it.'),
  }),
})

const urlCitation = z.object({
  type: z.literal('url_citation'),
  url_citation: z.object({
    start_index: z.int(),
    end_index: z.int(),
    title: z.string(),
    url: z.string(),
  }),
})

const chatFinish = z.enum(['stop', 'length', 'tool_calls', 'content_filter'])

const chatCompletion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: seconds,
  model: z.string(),
  system_fingerprint: z.enum(['passim-model', 'passim-extractive']).describe('Who answered.'),
  metadata: notes,
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.looseObject({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
        reasoning_content: z.string().optional().describe('What the model thought.'),
        annotations: z.array(urlCitation).optional(),
        tool_calls: z.array(toolCall).optional(),
      }),
      logprobs: z.null(),
      finish_reason: chatFinish,
    }),
  ),
  usage: chatUsage.optional(),
})

const chatCompletionChunk = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: seconds,
  model: z.string(),
  system_fingerprint: z.string().optional(),
  choices: z.array(
    z.object({
      index: z.int(),
      delta: z.looseObject({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        reasoning_content: z.string().optional(),
        tool_calls: z
          .array(
            z.object({
              index: z.int(),
              id: z.string().optional(),
              type: z.literal('function').optional(),
              function: z.object({ name: z.string().optional(), arguments: z.string() }),
            }),
          )
          .optional()
          .describe('The arguments come in pieces, by the index of the call.'),
      }),
      finish_reason: chatFinish.nullable(),
    }),
  ),
  usage: chatUsage.optional(),
})

const itemStatus = z.enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed'])

const outputMessage = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  status: itemStatus,
  content: z.array(
    z.looseObject({
      type: z.literal('output_text'),
      text: z.string(),
      annotations: z.array(
        z.looseObject({
          type: z.literal('file_citation'),
          file_id: z.string(),
          filename: z.string(),
          index: z.int(),
        }),
      ),
    }),
  ),
})

const fileSearchCall = z.object({
  id: z.string(),
  type: z.literal('file_search_call'),
  status: itemStatus,
  queries: z.array(z.string()),
  results: z
    .array(
      z.object({ file_id: z.string(), filename: z.string(), score, text: z.string(), attributes }),
    )
    .nullable()
    .describe('With `include: ["file_search_call.results"]`.'),
})

const functionCall = z.object({
  id: z.string(),
  type: z.literal('function_call'),
  status: itemStatus,
  call_id: z.string().describe('What `function_call_output` names.'),
  name: z.string(),
  arguments: z.string().describe('JSON, as the model wrote it.'),
})

const reasoning = z.object({
  id: z.string(),
  type: z.literal('reasoning'),
  status: itemStatus,
  summary: z.array(z.unknown()),
  content: z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() })),
  encrypted_content: z
    .string()
    .optional()
    .describe('Names the model that thought so, to send the item back.'),
})

const response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: seconds,
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  model: z.string(),
  output: z.array(
    z.discriminatedUnion('type', [outputMessage, fileSearchCall, functionCall, reasoning]),
  ),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string().optional() }).nullable(),
  instructions: z.string().nullable(),
  metadata: notes,
  previous_response_id: z.string().nullable(),
  background: z.boolean(),
  usage: z
    .looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() })
    .optional()
    .describe('Where a model answered.'),
})

/** Each kind has more fields, by OpenAI's contract. */
const responseEvent = z.looseObject({
  type: z.string().describe('As `response.output_text.delta`; also the name of the event.'),
  sequence_number: z.int(),
})

/** Of a conversation or of a request; each kind has more fields, by OpenAI's contract. */
const inputItem = z.looseObject({ id: z.string(), type: z.string() })

export const OPENAI_ANSWERS = {
  File: file,
  FilePage: pageOf(file),
  DeletedFile: deleted('file'),
  Upload: upload,
  UploadPart: uploadPart,
  VectorStore: vectorStore,
  VectorStorePage: pageOf(vectorStore),
  DeletedVectorStore: deleted('vector_store.deleted'),
  VectorStoreFile: vectorStoreFile,
  VectorStoreFilePage: pageOf(vectorStoreFile),
  DeletedVectorStoreFile: deleted('vector_store.file.deleted'),
  VectorStoreFileBatch: vectorStoreFileBatch,
  VectorStoreFileContent: fileContent,
  VectorStoreSearchResults: searchResults,
  Embeddings: embeddings,
  Model: model,
  ModelList: z.object({ object: z.literal('list'), data: z.array(model) }),
  ChatCompletion: chatCompletion,
  ChatCompletionChunk: chatCompletionChunk,
  Response: response,
  ResponseEvent: responseEvent,
  DeletedResponse: deleted('response'),
  Item: inputItem,
  ItemPage: pageOf(inputItem),
  OpenAIConversation: z.object({
    id: z.string(),
    object: z.literal('conversation'),
    created_at: seconds,
    metadata: notes,
  }),
  DeletedOpenAIConversation: deleted('conversation.deleted'),
  InputTokens: z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() }),
} as const satisfies Readonly<Record<string, z.ZodType>>
