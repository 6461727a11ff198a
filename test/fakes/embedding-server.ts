import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { HashingEmbedder } from './hashing-embedder.ts'

type Request = { readonly model: string; readonly input: readonly string[] }

export type EmbeddingServer = {
  /** Base URL. */
  readonly url: string
  /** The texts of every request so far. */
  readonly requests: (readonly string[])[]
  close(): Promise<void>
}

/**
 * A server with OpenAI's `/v1/embeddings` on loopback, whose vectors are those of the hashing embedder. `before` is awaited
 * before each answer; a status that it gives is the answer.
 */
export async function startEmbeddingServer(
  dimensions: number,
  before: (texts: readonly string[]) => Promise<void> | number | undefined | void = () => {},
): Promise<EmbeddingServer> {
  const embedder = new HashingEmbedder({ dimensions })
  const requests: (readonly string[])[] = []
  const server = createServer(async (message, response) => {
    const { input } = (await json(message)) as Request // what RemoteEmbedder sends
    requests.push(input)
    const status = await before(input)
    if (status) return void response.writeHead(status).end('no')
    const vectors = await embedder.embed(input, 'passage')
    const data = vectors.map((vector, index) => ({ index, embedding: [...vector] }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
