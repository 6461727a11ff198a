import type { ContentItem } from '../../agent/message.ts'
import { listMessageFiles, textContent } from '../../agent/message.ts'
import type { Citation } from '../../answer/citations/citation.ts'
import {
  filterCurrentItems,
  findWithdrawn,
  type Item,
  type ItemContent,
  parseArguments,
} from '../../conversations/items.ts'
import type { Run } from '../../conversations/runs.ts'
import type { StoredFile } from '../../ingest/store/contents/files.ts'
import type { UiMessageJson, UiPartJson } from '../../wire/conversation.ts'
import type { RequestContext } from '../http/context.ts'
import { showSources } from '../http/shown-source.ts'
import {
  findMediaTypes,
  readReplayData,
  toSourcePart,
  toUiFacts,
  type UiReplayData,
} from './ui-message-stream.ts'

/** Turns and bytes shown, so that a page loads quickly. A text is sent as part and as metadata. */
const MAX_SHOWN_TURNS = 100
const MAX_SHOWN_BYTES = 1024 * 1024

/** Returns the last turns; the current answer comes by its stream. */
export async function readUiMessages(
  c: RequestContext,
  conversation: string,
): Promise<readonly UiMessageJson[]> {
  const { conversations, conversationService: conversing, files } = c.var.passim
  await conversing.findLastRun(conversation) // ends a run whose process died
  const recent = filterCurrentItems(
    await conversations.readRecentItems(conversation, MAX_SHOWN_BYTES, MAX_SHOWN_TURNS),
  )
  const items = showCitedSources(
    c,
    recent.filter(({ turn }) => turn > 0),
  )
  const turns = [...new Set(items.map(({ turn }) => turn))]
  const runs = await conversing.runs.findByTurns(conversation, turns[0] ?? 0, turns.at(-1) ?? 0)
  const replayData = await conversing.runs.findReplayData([...runs.values()].map(({ id }) => id))
  const named = await files.findByIds(
    listMessageFiles(items.filter(isMessage).map(({ content }) => ({ role: 'user', content }))),
  )
  const mediaTypes = await findMediaTypes(c, collectCitations(items))
  return turns.flatMap(turn => {
    const ofTurn = items.filter(item => item.turn === turn)
    const run = runs.get(turn)
    return toUiMessages(ofTurn, {
      place: { conversation, turn, run },
      context: { shown: (run && replayData.get(run.id)) ?? {}, files: named, mediaTypes },
    })
  })
}

export async function readPartsBefore(c: RequestContext, run: Run): Promise<readonly UiPartJson[]> {
  if (run.conversationId === undefined) return []
  const items = showCitedSources(
    c,
    sliceBeforeResumption(
      await c.var.passim.conversations.readTurnItems(run.conversationId, run.turn, run.turn),
    ),
  )
  return toParts(items, {
    shown: await readReplayData(c, run),
    mediaTypes: await findMediaTypes(c, collectCitations(items)),
  })
}

type Place = { readonly conversation: string; readonly turn: number; readonly run: Run | undefined }

type MessageContext = {
  readonly shown: UiReplayData
  readonly files: ReadonlyMap<string, StoredFile>
  readonly mediaTypes: ReadonlyMap<string, string>
}

function toUiMessages(
  items: readonly Item[],
  {
    place: { run, ...place },
    context,
  }: { readonly place: Place; readonly context: MessageContext },
): readonly UiMessageJson[] {
  const status = run?.status ?? 'completed'
  const parts = toParts(status === 'in_progress' ? sliceBeforeResumption(items) : items, context)
  const visible = filterVisible(items)
    .filter(isMessage)
    .filter(item => item.role === 'user')
  const text = visible.map(textContent).join('\n\n')
  const contentItems = visible.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content,
  )
  const questionMessage: UiMessageJson = {
    id: String(visible[0]?.extra?.chat ?? `${place.turn}q`),
    role: 'user',
    parts: [
      { type: 'text', text },
      ...contentItems.flatMap(item => toFilePart(item, context.files)),
    ],
  }
  if (parts.every(({ type }) => type === 'step-start')) return [questionMessage]
  const answer = filterVisible(items).findLast(item => isMessage(item) && item.answer !== undefined)
  const facts =
    answer &&
    isMessage(answer) &&
    answer.answer &&
    toUiFacts({ ...answer.answer, text: textContent(answer) })
  const id = context.shown.messageId ?? run?.id ?? `${place.turn}a`
  return [
    questionMessage,
    { id, role: 'assistant', parts, metadata: { ...place, status, ...facts } },
  ]
}

function toFilePart(item: ContentItem, files: MessageContext['files']): readonly UiPartJson[] {
  if ('image' in item) {
    const mediaType = /^data:([^;,]+)/i.exec(item.image)?.[1] ?? 'image/*'
    return [{ type: 'file', mediaType, url: item.image }]
  }
  if (!('file' in item)) return []
  const file = files.get(item.file)
  const mediaType = file?.declaredType ?? 'application/octet-stream'
  return [
    {
      type: 'file',
      mediaType,
      ...(file && { filename: file.name }),
      url: `/v1/files/${item.file}/content`,
    },
  ]
}

function showCitedSources(c: RequestContext, items: readonly Item[]): readonly Item[] {
  return items.map(item => {
    if (!isMessage(item) || !item.answer) return item
    const citations = showSources(c, item.answer.citations)
    return { ...item, answer: { ...item.answer, citations } }
  })
}

function collectCitations(items: readonly Item[]): readonly Citation[] {
  return items.filter(isMessage).flatMap(({ answer }) => answer?.citations ?? [])
}

function sliceBeforeResumption(items: readonly Item[]): readonly Item[] {
  return items.slice(0, Math.max(0, items.findLastIndex(isResumption)))
}

function toParts(
  items: readonly Item[],
  context: Omit<MessageContext, 'files'>,
): readonly UiPartJson[] {
  const outputs = new Map(
    items.flatMap(item => (item.kind === 'result' ? [[item.callId, textContent(item)]] : [])),
  )
  const end = items.findLast(item => item.kind === 'status')
  const pending = end?.kind === 'status' && end.code === 'approval' ? end.extra?.pending : undefined
  const waiting = (pending ?? []) as readonly string[]
  const calls = { outputs, waiting, denied: context.shown.denied ?? [] }
  const lastResumption = items.findLastIndex(isResumption)
  const visibleItems = filterVisible(items).filter(
    item => !isCutShort(item) || items.indexOf(item) > lastResumption,
  )
  return [
    { type: 'step-start' },
    ...visibleItems.flatMap(item => toItemParts(item, calls, context.mediaTypes)),
  ]
}

type Calls = {
  readonly outputs: ReadonlyMap<string, string>
  readonly waiting: readonly string[]
  readonly denied: readonly string[]
}

function toItemParts(
  item: Item,
  calls: Calls,
  mediaTypes: MessageContext['mediaTypes'],
): readonly UiPartJson[] {
  if (item.kind === 'reasoning') return [{ type: 'reasoning', text: item.text, state: 'done' }]
  if (item.kind === 'call') return [toCallPart(item, calls)]
  if (isResumption(item)) return [{ type: 'step-start' }]
  if (!isMessage(item) || item.role !== 'assistant') return []
  const text = textContent(item)
  return [
    ...(text === '' ? [] : [{ type: 'text', text, state: 'done' }]),
    ...(item.answer?.citations ?? []).map(citation => toSourcePart(citation, mediaTypes)),
  ]
}

function toCallPart(
  { callId: toolCallId, name: toolName, arguments: text }: Extract<ItemContent, { kind: 'call' }>,
  { outputs, waiting, denied }: Calls,
): UiPartJson {
  const call = {
    type: 'dynamic-tool',
    toolCallId,
    toolName,
    input: parseArguments(text),
    providerExecuted: true,
  }
  const output = outputs.get(toolCallId)
  const approval = { id: toolCallId }
  if (output !== undefined && denied.includes(toolCallId)) {
    return { ...call, state: 'output-denied', approval: { ...approval, approved: false } }
  }
  if (output !== undefined) return { ...call, state: 'output-available', output }
  return waiting.includes(toolCallId)
    ? { ...call, state: 'approval-requested', approval }
    : { ...call, state: 'input-available' }
}

function filterVisible(items: readonly Item[]): readonly Item[] {
  const withdrawn = findWithdrawn(items)
  return items.filter(({ id }) => !withdrawn.has(id))
}

function isMessage(item: Item): item is Extract<Item, { kind: 'message' }> {
  return item.kind === 'message'
}

function isResumption(item: Item): boolean {
  return item.kind === 'status' && item.code === 'resumed'
}

/** Returns whether the text is repeated after a resumption. */
function isCutShort(item: Item): boolean {
  return isMessage(item) && item.isIncomplete === true && item.answer === undefined
}
