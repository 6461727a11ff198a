import { textContent } from '../../agent/message.ts'
import type { RequestContext } from '../context.ts'
import { readBody } from '../input.ts'
import { functionsOf, inputTokensSchema } from './response-request.ts'
import { messagesBefore } from './response-run.ts'
import { textOfInput } from './taken-input.ts'

/** What chat servers put around a message, as OpenAI counts it. */
const TOKENS_OF_A_MESSAGE = 4

/** `POST /v1/responses/input_tokens`: what the conversation and its functions come to, before any passage is found for it; files and images are not counted. */
export async function countInput(c: RequestContext): Promise<Response> {
  const request = await readBody(c, inputTokensSchema)
  const messages = [...(await messagesBefore(c, request)), ...(await textOfInput(c, request.input ?? []))]
  const said = messages.flatMap(message => [textContent(message), message.functionCall?.arguments ?? ''])
  const functions = functionsOf(request).map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  )
  const text = [...said, ...functions].filter(Boolean).join('\n')
  const tokens = await c.get('passim').countTokens(text, { model: request.model, signal: c.get('signal') })
  return c.json({ object: 'response.input_tokens', input_tokens: tokens + TOKENS_OF_A_MESSAGE * messages.length })
}
