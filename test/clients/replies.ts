import {
  type RecordedRequest,
  type ScriptedReply,
  silentAfter,
} from '../fakes/scripted-model-server.ts'

/** The model: it thinks, calls the client's function once, writes JSON where it is to, and answers. */
export function replyTo({ body }: RecordedRequest): ScriptedReply {
  if (!body.messages) return { status: 404 } // a check asks for the list of models
  const tools = (body.tools ?? []) as readonly { readonly function: { readonly name: string } }[] // as OpenAI's
  const isNew = body.messages.at(-1)?.role === 'user'
  if (body.response_format) return { text: ['{"price":', '120}'] }
  if (isNew && tools.some(({ function: { name } }) => name === 'look_up')) {
    return {
      reasoning: ['I should ', 'look.'],
      calls: [{ name: 'look_up', arguments: { place: 'Rome' } }],
    }
  }
  return { reasoning: ['Hotels, ', 'hm.'], text: ['At most ', '120 euros [1].'] }
}

/** What a model says that begins to answer, and never ends. */
export const ENDLESS = silentAfter('Hotels ')
