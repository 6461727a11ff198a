import { z } from 'zod'
import { SEARCH_TOOL } from '../../agent/groundings/search-tool.ts'
import { findCourtesy } from '../../app/courtesy.ts'
import { isForEveryone } from '../../app/documents/visible-documents.ts'
import type { Passim } from '../../app/passim.ts'
import { DEFAULT_TENANT } from '../../app/tenants/keys.ts'
import type { SharedLink, SharedLinks } from '../../app/tenants/shared-links.ts'
import type { Stores } from '../../app/tenants/tenants.ts'
import type { Settings } from '../../config.ts'
import type { Item } from '../../conversations/items.ts'
import type { Turn } from '../../conversations/turns.ts'
import { AppError } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import type {
  DeletedSharedLinkJson,
  NewSharedLinkJson,
  SharedConversationJson,
  SharedLinkJson,
  SharedLinkListJson,
  SharedTurnJson,
} from '../../wire/conversation.ts'
import { writeTimes } from '../../wire/schema.ts'
import { getAccess } from '../http/access.ts'
import type { RequestContext } from '../http/context.ts'
import { createRefusal } from '../http/errors.ts'
import { readBody } from '../http/input.ts'
import { limitBackward, listSchema, selectPage } from '../http/pagination.ts'
import { readQuery } from '../http/query.ts'
import { streamJson } from '../http/sliced-json.ts'
import type { Routes } from '../route.ts'
import { findConversation, turnsSchema } from './turn-request.ts'

/** Turns read at once, to bound memory. */
const MAX_TURNS = 100

const listLinksSchema = listSchema('links', 100)

const createLinkSchema = z.strictObject({
  days: z
    .number()
    .positive()
    .max(3_650)
    .optional()
    .describe(
      'Days until the link expires, at most `server.sharedLinkDays` of the settings. Default: as many.',
    ),
})

const readSharedSchema = z.strictObject({
  token: z.string().max(200).describe('Token of the link (at most 200 characters).'),
  ...turnsSchema.shape,
})

type SharingDeps = {
  readonly links: SharedLinks
  readonly stores: Stores
  readonly settings: Pick<Settings['server'], 'sharedLinkDays'>
}

export function createSharedLinkRoutes(deps: SharingDeps): Routes {
  return {
    'GET /api/conversations/:id/links': {
      summary: 'List the valid links to a conversation',
      query: listLinksSchema,
      answer: 'SharedLinkList',
      reply: c => list(c, deps),
    },
    'POST /api/conversations/:id/links': {
      summary: 'Create a read-only link to a conversation; its token is returned only once',
      description:
        'Whoever has the token reads the turns so far, without a key, until the link expires or is revoked. The page shows them at `#/shared/TOKEN`. Fails with 403 if the operator has not set `server.sharedLinkDays`.',
      body: createLinkSchema,
      example: { days: 7 },
      status: 201,
      answer: 'NewSharedLink',
      reply: c => create(c, deps),
    },
    'DELETE /api/conversations/:id/links/:linkId': {
      summary: 'Revoke a link to a conversation',
      answer: 'DeletedSharedLink',
      reply: c => revoke(c, deps),
    },
    'POST /api/shared': {
      summary: 'Read a conversation by a link',
      description:
        'Needs no key. Returns the questions, the answers and the quoted words of the documents, and nothing else of the store. A turn is withheld if a document that it cites, or that its model was shown, was deleted or names its readers in the attribute `readers`, if it cites nothing, as a list of documents, if its model used another tool than the search, or if it remembers such a turn. With an unrestricted key of the same tenant, only turns that cite deleted documents are withheld; with a restricted one, also those about documents that the key may not read.',
      body: readSharedSchema,
      example: { token: 'kS1f0bZ…' },
      answer: 'SharedConversation',
      reply: c => readShared(c, deps),
    },
  }
}

async function findPlace(c: RequestContext) {
  const { id, turns, createdAt } = await findConversation(c)
  const tenant = c.get('key')?.tenant ?? DEFAULT_TENANT
  return { tenant, conversationId: id, conversationCreatedAt: createdAt, turns }
}

async function list(c: RequestContext, { links }: SharingDeps): Promise<Response> {
  const valid = await links.list(await findPlace(c))
  const { page, end } = await selectPage(valid, readQuery(c, listLinksSchema), toLinkJson)
  return c.json<SharedLinkListJson>({ links: page, ...end })
}

async function create(c: RequestContext, { links, settings }: SharingDeps): Promise<Response> {
  const { days } = await readBody(c, createLinkSchema)
  const place = await findPlace(c)
  if (settings.sharedLinkDays === 0)
    throw createRefusal({
      status: 403,
      code: 'forbidden',
      message:
        'The operator of this service does not allow links to conversations (server.sharedLinkDays is 0).',
    })
  const { link, secret } = await links.create({ ...place, days })
  c.header('cache-control', 'no-store')
  return c.json<NewSharedLinkJson, 201>({ ...toLinkJson(link), token: secret }, 201)
}

async function revoke(c: RequestContext, { links }: SharingDeps): Promise<Response> {
  const id = c.req.param('linkId') ?? ''
  await links.revoke(await findPlace(c), id)
  return c.json<DeletedSharedLinkJson>({ id, deleted: true })
}

function toLinkJson({ id, turns, createdAt, expiresAt }: SharedLink): SharedLinkJson {
  return writeTimes({ id, turns, createdAt, expiresAt })
}

/** Opens no store before the token is known to be valid. */
async function readShared(c: RequestContext, deps: SharingDeps): Promise<Response> {
  const { token, before, limit } = await readBody(c, readSharedSchema)
  const link = await deps.links.find(token)
  if (!link) throw createUnknownLink()
  const { passim, release } = await deps.stores.acquire(link.tenant)
  try {
    const conversation = await passim.conversations.find(link.conversationId)
    if (conversation?.createdAt !== link.conversationCreatedAt) throw createUnknownLink()
    const end = Math.min(before ?? link.turns + 1, link.turns + 1)
    const found = await passim.conversationService.listTurns(link.conversationId, {
      before: end,
      limit,
    })
    const shown = limitBackward(found)
    const turns = await toSharedTurns(c, shown, { link, passim, stores: deps.stores })
    const hasMore = (shown[0]?.turn ?? 1) > 1
    const expiresAt = new Date(link.expiresAt).toISOString()
    c.header('cache-control', 'no-store')
    return streamJson<SharedConversationJson>(c, { expiresAt, turns, hasMore })
  } finally {
    release()
  }
}

function createUnknownLink(): AppError {
  return new AppError('not_found', 'This link does not exist, has expired or was revoked.')
}

type Reading = {
  readonly link: SharedLink
  readonly passim: Passim
  readonly stores: Stores
}

async function toSharedTurns(
  c: RequestContext,
  turns: readonly Turn[],
  { link, passim, stores }: Reading,
): Promise<readonly SharedTurnJson[]> {
  const key = c.get('key')
  const isOfTenant = key?.tenant === link.tenant
  const access = isOfTenant ? getAccess(key) : undefined
  const isUnrestricted = isOfTenant && access === undefined
  const view = access && (await stores.acquire(link.tenant, access))
  const { scope } = view?.passim ?? passim
  const isVisible = async (id: string): Promise<boolean> => {
    const document = await findDocument(scope, id)
    if (!document || isOfTenant) return document !== undefined
    const isOpen = isForEveryone(document)
    return isOpen && (document.parentId === undefined || (await isVisible(document.parentId)))
  }
  try {
    return await withholdTurns(turns, { link, passim, isUnrestricted, isVisible })
  } finally {
    view?.release()
  }
}

type Reader = Pick<Reading, 'link' | 'passim'> & {
  readonly isUnrestricted: boolean
  readonly isVisible: (documentId: string) => Promise<boolean>
}

async function withholdTurns(
  turns: readonly Turn[],
  reader: Reader,
): Promise<readonly SharedTurnJson[]> {
  const { isUnrestricted } = reader
  const hidden = await listHidden(turns, reader)
  let mayRemember = !isUnrestricted && (await hasEarlier(turns[0]?.turn ?? 0, reader))
  const shared: SharedTurnJson[] = []
  for (const turn of turns) {
    const isRemembered = mayRemember && turn.mode !== 'extractive'
    const isHidden = hidden.has(turn.turn) || isRemembered
    mayRemember ||= isHidden && !isUnrestricted
    if (turn.superseded || turn.status !== 'completed') continue
    shared.push(isHidden ? { turn: turn.turn } : toTurnJson(turn))
  }
  return shared
}

async function listHidden(
  turns: readonly Turn[],
  { link, passim, isUnrestricted, isVisible }: Reader,
): Promise<ReadonlySet<number>> {
  const [first = 0, last = 0] = [turns[0]?.turn, turns.at(-1)?.turn]
  const hidden = new Set<number>()
  const id = link.conversationId
  const steps = isUnrestricted ? [] : await passim.conversations.readSteps(id, first, last)
  for (const turn of turns.filter(({ superseded }) => !superseded)) {
    const ofTurn = steps.filter(step => step.turn === turn.turn)
    const areVisible = await Promise.all([...listReadDocuments(turn, ofTurn)].map(isVisible))
    const isBeyond = !isUnrestricted && isBeyondCitations(turn, ofTurn)
    if (isBeyond || !areVisible.every(Boolean)) hidden.add(turn.turn)
  }
  return hidden
}

/** Returns whether a turn is withheld that the models of later ones remember. */
async function hasEarlier(before: number, reader: Reader): Promise<boolean> {
  for (let end = before; ; ) {
    const { link, passim } = reader
    const page = { before: end, limit: MAX_TURNS }
    const found = await passim.conversationService.listTurns(link.conversationId, page)
    const first = found[0]
    if (!first) return false
    if ((await listHidden(found, reader)).size > 0) return true
    end = first.turn
  }
}

/** Includes what a model was shown, because it may name what it does not cite. */
function listReadDocuments({ mode, citations }: Turn, steps: readonly Item[]): ReadonlySet<string> {
  const found = steps.flatMap(step =>
    step.kind === 'search' && mode !== 'extractive' ? step.results : [],
  )
  return new Set([...citations, ...found].map(({ documentId }) => documentId))
}

function isBeyondCitations(
  { abstained, answer, citations, question }: Turn,
  steps: readonly Item[],
): boolean {
  const callsOther = steps.some(
    step => step.kind === 'call' && (step.isCallers || step.name !== SEARCH_TOOL),
  )
  if (callsOther) return true
  const isUncited = answer !== '' && !abstained && citations.length === 0
  return isUncited && findCourtesy(question) === undefined
}

async function findDocument(scope: Passim['scope'], id: string): Promise<Document | undefined> {
  try {
    return await scope.findDocumentById(id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

function toTurnJson(shown: Turn): SharedTurnJson {
  const { turn, question, answer, citations, unsupported, unconfirmed } = shown
  return {
    turn,
    question,
    answer,
    citations: citations.map(({ marker, doc, page, pageLabel, headings, text, support }) => ({
      marker,
      doc,
      ...(page !== undefined && { page }),
      ...(pageLabel !== undefined && { pageLabel }),
      headings,
      text,
      support,
    })),
    ...(unsupported.length > 0 && { unsupported }),
    ...(unconfirmed && { unconfirmed }),
  }
}
