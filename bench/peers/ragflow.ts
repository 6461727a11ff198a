import { z } from 'zod'
import { documentOf, isRefusal, type Peer, withMarkers } from './peer.ts'
import { fileForm, request, type Service, until } from './requests.ts'

const CREATED = z.object({ code: z.literal(0), data: z.object({ id: z.string() }) })
const UPLOADED = z.object({ code: z.literal(0), data: z.array(z.object({ id: z.string() })) })
const STARTED = z.object({ code: z.literal(0) })
const STATES = z.object({
  code: z.literal(0),
  data: z.object({ docs: z.array(z.object({ name: z.string(), run: z.string() })) }),
})
const CHUNK = z.object({ content: z.string(), document_name: z.string() })
const ANSWER = z.object({
  code: z.literal(0),
  data: z.object({
    answer: z.string(),
    reference: z.object({ chunks: z.array(CHUNK).optional() }).optional(),
  }),
})

/**
 * RAGFlow by its HTTP API of v0.20 to v0.27 (later ones keep these addresses as aliases), with the chat model and embedder that its operator has set. Its markers `[ID:n]` (older:
 * `##n$$`) name the chunks that the answer came with.
 */
export function ragflowPeer({
  pauseMs,
  ...service
}: Service & { readonly pauseMs?: number }): Peer {
  let chat = ''
  return {
    name: 'RAGFlow',
    async prepare(files, signal) {
      const made = await request(service, '/api/v1/datasets', {
        schema: CREATED,
        signal,
        json: { name: `cite-check-${Date.now()}` },
      })
      const path = `/api/v1/datasets/${made.data.id}`
      const ids: string[] = []
      for (const file of files) {
        const { data } = await request(service, `${path}/documents`, {
          schema: UPLOADED,
          signal,
          form: await fileForm(file),
        })
        ids.push(...data.map(({ id }) => id))
      }
      await request(service, `${path}/chunks`, {
        schema: STARTED,
        signal,
        json: { document_ids: ids },
      })
      await until(async () => await parsed(service, path, signal), signal, pauseMs)
      const json = { name: `cite-check-${Date.now()}`, dataset_ids: [made.data.id] }
      chat = (await request(service, '/api/v1/chats', { schema: CREATED, signal, json })).data.id
    },
    async answer(question, signal) {
      const json = { question, stream: false }
      const { data } = await request(service, `/api/v1/chats/${chat}/completions`, {
        schema: ANSWER,
        signal,
        json,
      })
      const chunks = data.reference?.chunks ?? []
      const sentences = withMarkers(data.answer, /\s*(?:\[ID:\s*(\d+)\]|##(\d+)\$\$)/g, marker => {
        const chunk = chunks[Number(/\d+/.exec(marker)?.[0])]
        return chunk ? [{ document: documentOf(chunk.document_name), quote: chunk.content }] : []
      })
      return {
        text: data.answer,
        refused: isRefusal(data.answer, sentences.flatMap(({ citations }) => citations).length),
        sentences,
      }
    },
    close: async () => {},
  }
}

async function parsed(
  service: Service,
  path: string,
  signal: AbortSignal,
): Promise<true | undefined> {
  const { data } = await request(service, `${path}/documents?page_size=100`, {
    schema: STATES,
    signal,
  })
  const failed = data.docs.filter(({ run }) => run === 'FAIL').map(({ name }) => name)
  if (failed.length) throw new Error(`RAGFlow could not parse ${failed.join(', ')}.`)
  return data.docs.every(({ run }) => run === 'DONE') || undefined
}
