import { ResourceTemplate } from '@modelcontextprotocol/server'
import { readDocument } from './fetch.ts'
import { type AddToServer, documentUri, tellFailure } from './offer.ts'

/** Most documents that are listed as resources; list_documents shows all. */
const MAX_LISTED = 1_000

/** The documents as resources: their text. */
export const addResources: AddToServer = (server, passim, scope) => {
  const list = () => {
    const all = passim.scope.collections(scope.collections).flatMap(collection => passim.list(collection))
    const readable = all.filter(document => document.status === 'completed').slice(0, MAX_LISTED)
    return {
      resources: readable.map(({ id, name, title }) => ({ uri: documentUri(id), name, title, mimeType: 'text/plain' })),
    }
  }
  const template = new ResourceTemplate(documentUri('{id}'), { list })
  const about = { title: 'Documents', description: 'The text of a document.', mimeType: 'text/plain' }
  server.registerResource('document', template, about, async (uri, { id }) => {
    try {
      const { text, metadata } = await readDocument(passim, scope, { id: String(id), start: 0 })
      const parts = metadata.next === undefined ? [text] : [text, restOf(String(id), metadata)]
      return { contents: parts.map(part => ({ uri: uri.href, mimeType: 'text/plain', text: part })) }
    } catch (error) {
      throw new Error(tellFailure(error, scope))
    }
  })
}

/** A resource is read at once: what a long document has after its beginning is had by another way. */
function restOf(id: string, { characters, next }: { readonly characters: number; readonly next?: number }): string {
  return `[These are ${next} of ${characters} characters. For the rest, call fetch with id ${id} and start ${next}.]`
}
