import { z } from 'zod'
import { citedAlike, documentOf, isRefusal, type Peer } from './peer.ts'
import { fileForm, request, type Service } from './requests.ts'

const WORKSPACE = z.object({ workspace: z.object({ slug: z.string() }) })
const UPLOADED = z.object({
  success: z.literal(true),
  documents: z.array(z.object({ location: z.string() })),
})
const ANSWER = z.object({
  textResponse: z.string().nullable(),
  sources: z.array(z.object({ title: z.string(), text: z.string() })),
})

/**
 * AnythingLLM by its developer API, in the mode `query`, with the model that its operator has set. It names the passages that it showed the
 * model, not which sentence rests on which: every sentence cites all of them.
 */
export function anythingLlmPeer(service: Service): Peer {
  let workspace = ''
  return {
    name: 'AnythingLLM',
    async prepare(files, signal) {
      const json = { name: `cite-check-${Date.now()}` }
      const made = await request(service, '/api/v1/workspace/new', {
        schema: WORKSPACE,
        signal,
        json,
      })
      workspace = `/api/v1/workspace/${made.workspace.slug}`
      const adds: string[] = []
      for (const file of files) {
        const form = await fileForm(file)
        const { documents } = await request(service, '/api/v1/document/upload', {
          schema: UPLOADED,
          signal,
          form,
        })
        adds.push(...documents.map(({ location }) => location))
      }
      await request(service, `${workspace}/update-embeddings`, {
        schema: WORKSPACE,
        signal,
        json: { adds, deletes: [] },
      })
    },
    async answer(question, signal) {
      const json = { message: question, mode: 'query' }
      const { textResponse, sources } = await request(service, `${workspace}/chat`, {
        schema: ANSWER,
        signal,
        json,
      })
      const text = textResponse ?? ''
      const citations = sources.map(source => ({
        document: documentOf(source.title),
        quote: bodyOf(source.text),
      }))
      return {
        text,
        refused: isRefusal(text, citations.length),
        sentences: citedAlike(text, citations),
      }
    },
    close: async () => {},
  }
}

/** A passage without the head that AnythingLLM writes before it. */
const bodyOf = (text: string): string =>
  text.replace(/^<document_metadata>[\s\S]*?<\/document_metadata>\s*/, '')
