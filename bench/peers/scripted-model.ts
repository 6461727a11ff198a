import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const REQUEST = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
})

/** A chat model that understands nothing: it says the sentence that it was told to, and names the source that is the given document. */
export type ScriptedModel = {
  readonly url: string
  /** What is said next; of this document, by the name of its file. */
  say(sentence: string, file: string): void
  close(): Promise<void>
}

/** An OpenAI-compatible chat server on loopback. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  let next = { sentence: '', file: '' }
  const server = createServer(async (incoming, response) => {
    const { messages } = REQUEST.parse(JSON.parse(await text(incoming)))
    const marker = markerOf(messages.map(({ content }) => content ?? '').join('\n'), next.file)
    streamed(response, withMarker(next.sentence, marker))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/v1`,
    say: (sentence, file) => {
      next = { sentence, file }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** The number of the first source that is a passage of the file: its name stands in the first line of the fence under the number. */
function markerOf(prompt: string, file: string): string | undefined {
  const sources = prompt.matchAll(/^\[(\d+)\]\n`{3,}[^\n]*\n([^\n]*)/gm)
  return [...sources].find(([, , head]) => head?.includes(file))?.[1]
}

/** Before the full stop, as models write it; none where no source is of the file. */
const withMarker = (sentence: string, marker: string | undefined): string =>
  marker === undefined ? sentence : sentence.replace(/[.。]?$/, stop => ` [${marker}]${stop}`)

function streamed(response: ServerResponse, content: string): void {
  const event = (delta: object, reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${event({ role: 'assistant', content }, null)}${event({}, 'stop')}data: [DONE]\n\n`)
}
