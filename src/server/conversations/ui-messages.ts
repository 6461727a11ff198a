import type { ContentItem } from '../../agent/content-item.ts'
import { currentItems, type Item, type ItemContent, withdrawnIn } from '../../agent/conversations/items.ts'
import type { Run } from '../../agent/conversations/runs.ts'
import { filesOf, textContent } from '../../agent/message.ts'
import type { StoredFile } from '../../ingest/stored/files.ts'
import type { RequestContext } from '../context.ts'
import { factsOf, inputOf, type Part, type Shown, shownOf, sourceParts } from './ui-message-stream.ts'

/** What is shown of a long conversation: its last turns, as many as begin within so many bytes. */
const MAX_SHOWN_TURNS = 100
const MAX_SHOWN_BYTES = 4 * 1024 * 1024

/** A message as `useChat` keeps it. */
type UiMessage = {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly Part[]
  readonly metadata?: object
}

/** The last turns of a conversation, for a page that was loaded again. Of the answer under way its stream tells. */
export async function uiMessages(c: RequestContext, conversation: string): Promise<readonly UiMessage[]> {
  const { conversations, conversing } = c.var.passim
  await conversing.run(conversation) // one that was left behind says so
  const recent = currentItems(await conversations.recentItems(conversation, MAX_SHOWN_BYTES))
  const items = recent.filter(({ turn }) => turn > 0)
  const files = await namedFiles(c, items)
  const turns = [...new Set(items.map(({ turn }) => turn))].slice(-MAX_SHOWN_TURNS)
  const runs = await conversing.lastRuns(conversation, turns[0] ?? 0, turns.at(-1) ?? 0)
  const messages = turns.map(turn => {
    const ofTurn = items.filter(item => item.turn === turn)
    return messagesOf(c, ofTurn, { conversation, turn, run: runs.get(turn), files })
  })
  return (await Promise.all(messages)).flat()
}

/** What was said of an answer before the run that goes on with it. */
export async function partsBefore(c: RequestContext, run: Run): Promise<readonly Part[]> {
  if (run.conversationId === undefined) return []
  const items = await c.var.passim.conversations.itemsOfTurns(run.conversationId, run.turn, run.turn)
  return await partsOf(c, itemsBefore(items), await shownOf(c, run))
}

type Place = {
  readonly conversation: string
  readonly turn: number
  readonly run: Run | undefined
  readonly files: ReadonlyMap<string, StoredFile>
}

async function messagesOf(
  c: RequestContext,
  items: readonly Item[],
  { run, files, ...place }: Place,
): Promise<readonly UiMessage[]> {
  const status = run?.status ?? 'completed'
  const shown = run ? await shownOf(c, run) : {}
  const parts = await partsOf(c, status === 'in_progress' ? itemsBefore(items) : items, shown)
  const said = visible(items)
    .filter(isMessage)
    .filter(item => item.role === 'user')
  const text = said.map(textContent).join('\n\n')
  const brought = said.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const asked: UiMessage = {
    id: String(said[0]?.extra?.chat ?? `${place.turn}q`),
    role: 'user',
    parts: [{ type: 'text', text }, ...brought.flatMap(item => filePart(item, files))],
  }
  if (parts.every(({ type }) => type === 'step-start')) return [asked]
  const answer = visible(items).findLast(item => isMessage(item) && item.answer !== undefined)
  const facts = answer && isMessage(answer) && answer.answer && factsOf({ ...answer.answer, text: textContent(answer) })
  const id = shown.messageId ?? run?.id ?? `${place.turn}a`
  return [asked, { id, role: 'assistant', parts, metadata: { ...place, status, ...facts } }]
}

/** A picture as it came, a file as what is kept of it. */
function filePart(item: ContentItem, files: Place['files']): readonly Part[] {
  if ('image' in item) {
    const mediaType = /^data:([^;,]+)/i.exec(item.image)?.[1] ?? 'image/*'
    return [{ type: 'file', mediaType, url: item.image }]
  }
  if (!('file' in item)) return []
  const file = files.get(item.file)
  const mediaType = file?.declaredType ?? 'application/octet-stream'
  return [{ type: 'file', mediaType, ...(file && { filename: file.name }), url: `/v1/files/${item.file}/content` }]
}

/** The files that came with questions, of which some may be gone. */
async function namedFiles(c: RequestContext, items: readonly Item[]): Promise<ReadonlyMap<string, StoredFile>> {
  const wanted = new Set(filesOf(items.filter(isMessage).map(({ content }) => ({ role: 'user', content }))))
  if (wanted.size === 0) return new Map()
  const all = await c.var.passim.files.list()
  return new Map(all.filter(({ id }) => wanted.has(id)).map(file => [file.id, file]))
}

/** Those of a turn before its answer was gone on with the last time; none where it never was. */
function itemsBefore(items: readonly Item[]): readonly Item[] {
  return items.slice(0, Math.max(0, items.findLastIndex(isResumption)))
}

async function partsOf(c: RequestContext, items: readonly Item[], { denied = [] }: Shown): Promise<readonly Part[]> {
  const outputs = new Map(items.flatMap(item => (item.kind === 'result' ? [[item.callId, textContent(item)]] : [])))
  const end = items.findLast(item => item.kind === 'status')
  const pending = end?.kind === 'status' && end.code === 'approval' ? end.extra?.pending : undefined
  const calls = { outputs, waiting: (pending ?? []) as readonly string[], denied } // the end of a run wrote it
  const lastResumption = items.findLastIndex(isResumption)
  const shown = visible(items).filter(item => !isCutShort(item) || items.indexOf(item) > lastResumption)
  return [
    { type: 'step-start' },
    ...(await Promise.all(shown.map(async item => await partsOfItem(c, item, calls)))).flat(),
  ]
}

type Calls = {
  readonly outputs: ReadonlyMap<string, string>
  readonly waiting: readonly string[]
  readonly denied: readonly string[]
}

async function partsOfItem(c: RequestContext, item: Item, calls: Calls): Promise<readonly Part[]> {
  if (item.kind === 'reasoning') return [{ type: 'reasoning', text: item.text, state: 'done' }]
  if (item.kind === 'call') return [callPart(item, calls)]
  if (isResumption(item)) return [{ type: 'step-start' }]
  if (!isMessage(item) || item.role !== 'assistant') return []
  const text = textContent(item)
  return [
    ...(text === '' ? [] : [{ type: 'text', text, state: 'done' }]),
    ...(await sourceParts(c, item.answer?.citations ?? [])),
  ]
}

function callPart(
  { callId: toolCallId, name: toolName, arguments: text }: Extract<ItemContent, { kind: 'call' }>,
  { outputs, waiting, denied }: Calls,
): Part {
  const call = { type: 'dynamic-tool', toolCallId, toolName, input: inputOf(text), providerExecuted: true }
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

function visible(items: readonly Item[]): readonly Item[] {
  const withdrawn = withdrawnIn(items)
  return items.filter(({ id }) => !withdrawn.has(id))
}

function isMessage(item: Item): item is Extract<Item, { kind: 'message' }> {
  return item.kind === 'message'
}

function isResumption(item: Item): boolean {
  return item.kind === 'status' && item.code === 'resumed'
}

/** Said again from its beginning where the answer was gone on with. */
function isCutShort(item: Item): boolean {
  return isMessage(item) && item.isIncomplete === true && item.answer === undefined
}
