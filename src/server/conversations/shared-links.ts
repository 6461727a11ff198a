import { z } from 'zod'
import { findCourtesy } from '../../app/courtesy.ts'
import { isForEveryone } from '../../app/documents/visible-documents.ts'
import type { Passim } from '../../app/passim.ts'
import { DEFAULT_TENANT } from '../../app/tenants/keys.ts'
import type { SharedLink, SharedLinks } from '../../app/tenants/shared-links.ts'
import type { Stores } from '../../app/tenants/tenants.ts'
import type { Settings } from '../../config.ts'
import type { Turn } from '../../conversations/turns.ts'
import { AppError } from '../../errors.ts'
import type { Document } from '../../ingest/store/catalog/document.ts'
import { filterAttributes } from '../../ingest/store/filter-attributes.ts'
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

/** Unit of `server.sharedLinkDays`. */
const DAY_MS = 24 * 60 * 60 * 1000

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
  token: z.string().min(1).max(200).describe('Token of the link (at most 200 characters).'),
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
        'Needs no key. Returns the questions, the answers and the quoted words of the documents, and nothing else of the store. A turn is withheld if a document that it cites was deleted, or names its readers in the attribute `readers`, or if it lists documents. With a key of the same tenant, it is withheld if the key may not read the document, or is restricted and the turn lists documents.',
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

async function list(c: RequestContext, { links, settings }: SharingDeps): Promise<Response> {
  const found = await links.list(await findPlace(c))
  const valid = found.filter(link => isAllowed(link, settings))
  const { page, end } = await selectPage(valid, readQuery(c, listLinksSchema), toLinkJson)
  return c.json<SharedLinkListJson>({ links: page, ...end })
}

async function create(c: RequestContext, { links, settings }: SharingDeps): Promise<Response> {
  const { sharedLinkDays } = settings
  const { days = sharedLinkDays } = await readBody(c, createLinkSchema)
  const place = await findPlace(c)
  if (sharedLinkDays === 0)
    throw createRefusal({
      status: 403,
      code: 'forbidden',
      message:
        'The operator of this service does not allow links to conversations (server.sharedLinkDays is 0).',
    })
  const expiresAt = Date.now() + Math.min(days, sharedLinkDays) * DAY_MS
  const { link, secret } = await links.create({ ...place, expiresAt })
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

/** A shorter time that the operator sets also ends links that exist. */
function isAllowed({ createdAt }: SharedLink, { sharedLinkDays }: SharingDeps['settings']) {
  return Date.now() < createdAt + sharedLinkDays * DAY_MS
}

/** Opens no store before the token is known to be valid. */
async function readShared(c: RequestContext, deps: SharingDeps): Promise<Response> {
  const { token, before, limit } = await readBody(c, readSharedSchema)
  const link = await deps.links.find(token)
  if (!link || !isAllowed(link, deps.settings)) throw createUnknownLink()
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
    const turns = await withholdTurns(c, shown, { link, passim, stores: deps.stores })
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

async function withholdTurns(
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
    const isOpen = isForEveryone(filterAttributes(document))
    return isOpen && (document.parentId === undefined || (await isVisible(document.parentId)))
  }
  try {
    const shared: SharedTurnJson[] = []
    for (const turn of turns) {
      if (turn.superseded || turn.status !== 'completed') continue
      const ids = new Set(turn.citations.map(({ documentId }) => documentId))
      const areVisible = await Promise.all([...ids].map(isVisible))
      const isHidden = !areVisible.every(Boolean) || (!isUnrestricted && isFromCatalog(turn))
      shared.push(isHidden ? { turn: turn.turn } : toTurnJson(turn))
    }
    return shared
  } finally {
    view?.release()
  }
}

/** Lists documents, which it does not cite. */
function isFromCatalog({ mode, abstained, citations, question }: Turn): boolean {
  const isUncited = mode === 'extractive' && !abstained && citations.length === 0
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
