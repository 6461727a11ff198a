import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type ScriptedCall = {
  readonly id?: string
  readonly name: string
  readonly arguments: string | object
}

/** How one request is answered; the last reply of a script answers all further requests, too. */
export type ScriptedReply =
  | {
      readonly text?: readonly string[]
      readonly reasoning?: readonly string[]
      /** Sent together, cut into pieces of a few characters. */
      readonly calls?: readonly ScriptedCall[]
      readonly finish?: string
    }
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** Sent as it is under the type of an event stream; `drop` cuts the connection, `hang` leaves it open. */
  | { readonly raw: string; readonly ending?: 'end' | 'drop' | 'hang' }
  /** Nothing at all is sent. */
  | { readonly hang: true }

/** What the server was asked. `closed` resolves when the connection of the request ends, by whichever side. */
export type RecordedRequest = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: {
    readonly model: string
    readonly messages: readonly {
      readonly role: string
      readonly content: string
      readonly [key: string]: unknown
    }[]
    readonly [key: string]: unknown
  }
  readonly closed: Promise<void>
}

export type ScriptedModel = {
  /** Base URL, for the model's settings. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** The request with this number, from 0, once it has come. */
  request(at: number): Promise<RecordedRequest>
  close(): Promise<void>
}

/** It says so much, and then nothing more. */
export function silentAfter(text: string): ScriptedReply {
  return { raw: `data: ${chunk({ content: text })}\n\n`, ending: 'hang' }
}

/** How every request is answered: one after another, or by what it asks. */
export type ModelScript =
  | readonly ScriptedReply[]
  | ((request: RecordedRequest) => ScriptedReply | Promise<ScriptedReply>)

/**
 * An OpenAI-compatible chat server on loopback that answers by a script, with the habits of a kind of server if
 * `PASSIM_TEST_PROFILE` names one and `PASSIM_TEST_PLAIN_SERVERS` is not set.
 */
export async function startScriptedModel(script: ModelScript): Promise<ScriptedModel> {
  const { chosenProfile, startWithHabits } = await import('./model-profiles.ts')
  const hasHabits = chosenProfile && !process.env.PASSIM_TEST_PLAIN_SERVERS
  return hasHabits ? await startWithHabits(chosenProfile, script) : await startServer(script)
}

/** What a kind of server refuses, which is neither recorded nor of the script, and its form of the replies of a script. */
export type ServerHabits = {
  readonly refuse: (request: RecordedRequest) => ScriptedReply | undefined
  readonly encode: (reply: ScriptedReply) => ScriptedReply
}

const NO_HABITS: ServerHabits = { refuse: () => undefined, encode: reply => reply }

export async function startServer(
  script: ModelScript,
  { refuse, encode }: ServerHabits = NO_HABITS,
): Promise<ScriptedModel> {
  const requests: RecordedRequest[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (incoming, response) => {
    const request = await record(incoming, response)
    if (!request) return
    const refusal = refuse(request)
    if (refusal) return await send(refusal, response)
    const at = requests.push(request) - 1
    for (const wake of waiting) wake()
    const reply =
      typeof script === 'function' ? await script(request) : script[Math.min(at, script.length - 1)]
    if (reply) await send(encode(reply), response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async request(at) {
      while (!requests[at]) await new Promise<void>(resolve => waiting.add(resolve))
      return requests[at]
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Undefined if the client was gone, such as a process that was killed, before all of it arrived. */
async function record(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<RecordedRequest | undefined> {
  const closed = new Promise<void>(resolve => response.once('close', resolve))
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer) // no encoding is set
  } catch (error) {
    if (incoming.complete) throw error
  }
  if (!incoming.complete) return undefined
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
  return { path: incoming.url ?? '', headers: incoming.headers, body, closed }
}

async function send(reply: ScriptedReply, response: ServerResponse): Promise<void> {
  if ('hang' in reply) return
  if ('status' in reply) {
    response
      .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      .end(reply.body ?? '')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!('raw' in reply)) {
    for (const event of eventsOf(reply)) await write(response, `data: ${event}\n\n`)
    response.end()
    return
  }
  await write(response, reply.raw)
  if (reply.ending === 'drop') response.destroy()
  else if (reply.ending !== 'hang') response.end()
}

/** One write a turn of the event loop, so that the pieces arrive apart. */
async function write(response: ServerResponse, text: string): Promise<void> {
  response.write(text)
  await new Promise(resolve => setImmediate(resolve))
}

function* eventsOf(reply: Extract<ScriptedReply, { text?: readonly string[] }>): Iterable<string> {
  yield chunk({ role: 'assistant', content: '' })
  for (const reasoning_content of reply.reasoning ?? []) yield chunk({ reasoning_content })
  for (const content of reply.text ?? []) yield chunk({ content })
  for (const tool_calls of callDeltas(reply.calls ?? [])) yield chunk({ tool_calls })
  yield chunk({}, reply.finish ?? (reply.calls ? 'tool_calls' : 'stop'))
  yield JSON.stringify({
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  })
  yield '[DONE]'
}

/** First every call's id and name, then the arguments piece by piece, the calls taking turns. */
function* callDeltas(calls: readonly ScriptedCall[]): Iterable<readonly object[]> {
  for (const [index, { id, name }] of calls.entries()) {
    yield [
      { index, id: id ?? `call_${index + 1}`, type: 'function', function: { name, arguments: '' } },
    ]
  }
  const pieces = calls.map(
    call =>
      (typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)).match(
        /[\s\S]{1,4}/g,
      ) ?? [],
  )
  for (let at = 0; at < Math.max(0, ...pieces.map(list => list.length)); at++) {
    yield pieces.flatMap((list, index) =>
      list[at] ? [{ index, function: { arguments: list[at] } }] : [],
    )
  }
}

function chunk(delta: object, finish_reason: string | null = null): string {
  return JSON.stringify({
    id: 'chat_1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
}
