import { z } from 'zod'
import { sentencesOf } from '../cite-check/document.ts'
import type { PeerCitation } from '../cite-check/marking.ts'
import { withoutOpening } from './passim-library.ts'
import { documentOf, isRefusal, isRemark, type Peer, type RawAnswer } from './peer.ts'
import { fileForm, request, type Service, until } from './requests.ts'

type ResponsesOptions = Service & {
  readonly name: string
  readonly model: string
  readonly pauseMs?: number
}

const CREATED = z.object({ id: z.string() })
const BATCH = z.object({
  status: z.string(),
  file_counts: z.object({ failed: z.number() }).optional(),
})

const ANNOTATION = z.object({
  type: z.string(),
  filename: z.string().optional(),
  index: z.number().optional(),
  /** Passim's additions. */
  quote: z.string().optional(),
  page: z.number().optional(),
  support: z.string().optional(),
})
const RESULT = z.object({ filename: z.string(), text: z.string(), score: z.number().optional() })
const OUTPUT = z.discriminatedUnion('type', [
  z.object({ type: z.literal('file_search_call'), results: z.array(RESULT).nullish() }),
  z.object({
    type: z.literal('message'),
    content: z.array(
      z.object({
        type: z.string(),
        text: z.string().optional(),
        annotations: z.array(ANNOTATION).optional(),
      }),
    ),
  }),
])
const ANSWER = z.object({
  output: z.array(z.union([OUTPUT, z.object({ type: z.string() })])),
  metadata: z.record(z.string(), z.string()).nullish(),
})

/**
 * Any service with OpenAI's `/v1/responses` and `file_search`: OpenAI's own, OGX's, Passim's. An annotation names a file and a place in
 * the answer; the passages of that file that the search gave are what it cites, unless the service says which words.
 */
export function responsesPeer({ name, model, pauseMs, ...service }: ResponsesOptions): Peer {
  let store = ''
  return {
    name,
    async prepare(files, signal) {
      const ids: string[] = []
      for (const file of files) {
        const form = await fileForm(file, { purpose: 'assistants' })
        ids.push((await request(service, '/files', { schema: CREATED, signal, form })).id)
      }
      store = (
        await request(service, '/vector_stores', {
          schema: CREATED,
          signal,
          json: { name: 'cite-check' },
        })
      ).id
      const path = `/vector_stores/${store}/file_batches`
      const batch = await request(service, path, {
        schema: CREATED,
        signal,
        json: { file_ids: ids },
      })
      const ready = async () => {
        const state = await request(service, `${path}/${batch.id}`, { schema: BATCH, signal })
        return state.status === 'in_progress' ? undefined : state
      }
      const { status, file_counts: counts } = await until(ready, signal, pauseMs)
      if (status !== 'completed' || counts?.failed)
        throw new Error(`${name}: the files are ${status}, ${counts?.failed ?? 0} failed.`)
    },
    async answer(question, signal) {
      const tools = [{ type: 'file_search', vector_store_ids: [store] }]
      const json = {
        model,
        input: question,
        tools,
        include: ['file_search_call.results'],
        store: false,
      }
      return readAnswer(await request(service, '/responses', { schema: ANSWER, signal, json }))
    },
    close: async () => {},
  }
}

function readAnswer({ output, metadata }: z.infer<typeof ANSWER>): RawAnswer {
  const items = output
    .map(item => OUTPUT.safeParse(item))
    .flatMap(({ data }) => (data ? [data] : []))
  const results = items.flatMap(item =>
    item.type === 'file_search_call' ? (item.results ?? []) : [],
  )
  const parts = items.flatMap(item => (item.type === 'message' ? item.content : []))
  const text = parts.map(part => part.text ?? '').join('\n')
  const annotations = parts
    .flatMap(part => part.annotations ?? [])
    .filter(({ type }) => type === 'file_citation')
  const refused = isRefusal(text, annotations.length) || metadata?.passim_abstained === 'true'
  const contradicted = Number(metadata?.passim_unsupported ?? 0)
  return { text, refused, contradicted, sentences: annotatedSentences(text, annotations, results) }
}

/** Each sentence with the annotations that stand in it or behind it, up to the next sentence that has some. */
function annotatedSentences(
  text: string,
  annotations: readonly z.infer<typeof ANNOTATION>[],
  results: readonly z.infer<typeof RESULT>[],
) {
  let from = 0
  const sentences = withoutOpening(text).split('\n').flatMap(sentencesOf)
  const placed = sentences.map(sentence => {
    const start = text.indexOf(sentence, from)
    from = start + sentence.length
    return { sentence, end: from }
  })
  return placed
    .map(({ sentence, end }) => {
      const next = annotations.filter(
        ({ index }) => (index ?? text.length) >= end - sentence.length,
      )
      const first = Math.min(...next.map(({ index }) => index ?? text.length))
      const own = next.filter(({ index }) => (index ?? text.length) === first)
      return {
        text: sentence.replace(/\s*(?:\[\d+\]|【[^】]*】)/g, '').trim(),
        citations: own.flatMap(note => quotedBy(note, results)),
      }
    })
    .filter(sentence => /[\p{L}\p{N}]/u.test(sentence.text) && !isRemark(sentence))
}

function quotedBy(
  { filename = '', quote, page, support }: z.infer<typeof ANNOTATION>,
  results: readonly z.infer<typeof RESULT>[],
): PeerCitation[] {
  const document = documentOf(filename)
  if (quote !== undefined) return [{ document, quote, page, support }]
  return results
    .filter(result => result.filename === filename)
    .map(({ text }) => ({ document, quote: text }))
}
