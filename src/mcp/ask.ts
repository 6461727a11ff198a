import type { ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { AgentEvent, AgentResult } from '../agent/event.ts'
import { readResult } from '../agent/run.ts'
import { askTurn } from '../app/ask-turn.ts'
import type { Passim } from '../app/passim.ts'
import { claimsShape, supportSchema } from '../wire/answer.ts'
import {
  type AddToServer,
  answer,
  explainFaults,
  type McpOptions,
  READ_ONLY,
  toDocumentUri,
  toPassageUri,
  warningsSchema,
} from './offer.ts'
import { Progress } from './progress.ts'

const inputSchema = z.object({
  question: z.string().min(1).describe('Question to answer from the documents, in any language.'),
  documents: z
    .array(z.string())
    .max(256)
    .optional()
    .describe(
      'Ids or names of the only documents to search (at most 256). Default: all documents.',
    ),
})

const turnSchema = inputSchema.extend({
  conversation: z
    .string()
    .min(1)
    .default('new')
    .describe('Id of the conversation to continue, or `new` (the default) to start one.'),
})

const outputSchema = z.object({
  answer: z.string().describe('Text of the answer, with markers such as `[1]`.'),
  abstained: z.boolean().describe('True if the documents contain no answer.'),
  mode: z
    .string()
    .describe('`extractive`: quoted from the documents. `model`: written by a chat model.'),
  citations: z.array(
    z.object({
      marker: z.number().describe('Number in the answer: `3` for `[3]`.'),
      document_id: z.string(),
      name: z.string(),
      url: z.string().describe('URI of the resource that contains the text of the document.'),
      passage: z.string().describe('URI of the resource that contains the quoted words.'),
      page: z
        .number()
        .optional()
        .describe('Page of the quotation, from 1, in formats that have pages.'),
      text: z.string().describe('Quoted words of the document.'),
      quote_verified: z
        .boolean()
        .describe(
          'True: the quotation was read back from the stored document and is identical. It says nothing about the claim.',
        ),
      verified: z.boolean().describe('Older name of `quote_verified`, always equal to it.'),
      support: supportSchema.describe(
        'Whether the quoted words state the claim that carries the marker.',
      ),
    }),
  ),
  ...claimsShape,
  warnings: warningsSchema,
})

/** `ask`: an answer with checked citations. Its hints state that it contacts no other server. */
export const addAsk: AddToServer = (server, passim, scope) => {
  const about = {
    title: 'Ask the documents',
    description:
      'Answer a question from the documents. Each citation is checked against the text of its document.',
    annotations: READ_ONLY,
  }
  server.registerTool(
    'ask',
    { ...about, inputSchema: explainFaults(inputSchema), outputSchema },
    (args, context) => answerQuestion(passim, scope, args, context),
  )
}

export const addConverse: AddToServer = (server, passim, scope) => {
  if (scope.asker === null) return
  const about = {
    title: 'Talk about the documents',
    description:
      'Answer a question like ask, as a turn of a stored conversation. The question may refer to earlier turns ("and the second one?").',
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  }
  const schemas = {
    inputSchema: explainFaults(turnSchema),
    outputSchema: outputSchema.extend({ conversation: z.string() }),
  }
  server.registerTool('converse', { ...about, ...schemas }, (args, context) =>
    answerQuestion(passim, scope, args, context),
  )
}

type AskArguments = z.infer<typeof inputSchema> & { readonly conversation?: string }

function answerQuestion(
  passim: Passim,
  scope: McpOptions,
  { conversation, ...args }: AskArguments,
  context: ServerContext,
) {
  const { collections, asker } = scope
  const { signal } = context.mcpReq
  const options = { ...args, collections, outsideTools: 'none' as const, signal }
  const everyMs = passim.settings.server.keepAliveMs
  return answer(
    scope,
    async () => {
      const events =
        conversation === undefined
          ? passim.ask(options).onlyEvents
          : askTurn(passim.conversationService, conversation, options, asker ? { asker } : {})
      return toResult(await readResult(withProgress(events, new Progress(context), everyMs)))
    },
    ({ citations }) =>
      citations.map(({ name, passage, marker }) => linkTo(`[${marker}] ${name}`, passage)),
  )
}

function toResult(result: AgentResult) {
  const {
    text: answer,
    abstained,
    mode,
    unsupported,
    unconfirmed,
    warnings,
    citations,
    conversation,
  } = result
  const citationsJson = citations.map(
    ({ marker, documentId, doc, page, text, quoteVerified, verified, support, ...span }) => ({
      marker,
      document_id: documentId,
      name: doc,
      url: toDocumentUri(documentId),
      passage: toPassageUri(documentId, span),
      text,
      support,
      quote_verified: quoteVerified,
      verified,
      ...(page !== undefined && { page }),
    }),
  )
  const notes = {
    ...(unsupported.length > 0 && { unsupported }),
    ...(unconfirmed && { unconfirmed }),
    ...(warnings && { warnings }),
  }
  return {
    answer,
    abstained,
    mode,
    citations: citationsJson,
    ...notes,
    ...(conversation && { conversation }),
  }
}

function linkTo(name: string, uri: string) {
  return { type: 'resource_link' as const, uri, name, mimeType: 'text/plain' }
}

/** Characters between two progress reports, so that clients are not flooded. */
const STEP_CHARS = 200

async function* withProgress(
  events: AsyncIterable<AgentEvent>,
  progress: Progress,
  everyMs: number,
) {
  const timer = progress.isRequested
    ? setInterval(() => progress.step('Waiting for the model.'), everyMs)
    : undefined
  let written = 0
  try {
    for await (const event of events) {
      const before = Math.floor(written / STEP_CHARS)
      if (event.type === 'text-delta') written += event.text.length
      if (event.type === 'retrieval') progress.step(`Found ${event.hits.length} passages.`)
      else if (event.type === 'notice') progress.step(event.text)
      else if (Math.floor(written / STEP_CHARS) > before)
        progress.step(`Wrote ${written} characters.`)
      yield event
    }
  } finally {
    clearInterval(timer)
  }
}
