import { ResourceTemplate } from '@modelcontextprotocol/server'
import { readDocument } from './fetch.ts'
import { type AddToServer, documentUri } from './offer.ts'

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
    const { text } = await readDocument(passim, scope, { id: String(id), start: 0 })
    return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }
  })
}
