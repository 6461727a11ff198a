/** Who speaks. `function` carries the result of a tool. */
export type Role = 'user' | 'assistant' | 'system' | 'function'

/** One part of a message's content: exactly one key, which is its type. */
export type ContentItem = { readonly text: string }

/** A model's wish to call a tool. `arguments` is JSON as the model wrote it: broken JSON is kept, and reported to the model. */
export type FunctionCall = { readonly name: string; readonly arguments: string }

/** One turn, or one part of a turn: a model that calls two tools at once leaves two messages, one a call. */
export type Message = {
  readonly role: Role
  readonly content: string | readonly ContentItem[]
  /** The agent that spoke, or the tool that answered. */
  readonly name?: string
  readonly functionCall?: FunctionCall
  /** Ties a `function` message to the call that it answers. */
  readonly functionId?: string
  readonly reasoningContent?: string
}

/** The text of a message, its items joined by line breaks. */
export function textContent(message: Message): string {
  if (typeof message.content === 'string') return message.content
  return message.content.map(item => item.text).join('\n')
}
