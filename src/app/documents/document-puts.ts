import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { Changes } from '../../ingest/sources/change.ts'
import type { Collection } from '../../ingest/store/catalog/collections.ts'
import type { Attributes, Document, DocumentSettings } from '../../ingest/store/catalog/document.ts'
import { toExternalSource } from '../../ingest/store/catalog/external-id.ts'
import type { StagedBytes } from '../../ingest/store/contents/staging.ts'
import type { DrainOptions } from '../../ingest/work/ingest.ts'
import type { Queue } from '../../ingest/work/queue.ts'
import { createId } from '../../system/digest.ts'
import type { Store } from '../stores/store.ts'
import type { CollectionAdmin } from './collection-admin.ts'
import { type InlineContent, renderContent } from './inline-content.ts'

/** Replace the facts of an earlier put: absent ones are removed. */
type StatedFacts = {
  /** Default: the title that the document states, else its name. */
  readonly title?: string | undefined
  readonly attributes?: Attributes | undefined
  /** BCP 47 tag, such as `en`. Default: recognized from the text. */
  readonly language?: string | undefined
  readonly url?: string | undefined
}

type InlineDocument = InlineContent &
  StatedFacts & {
    /** Default: a new id. */
    readonly id?: string | undefined
  }

export type PutOptions = InlineContent &
  StatedFacts &
  DrainOptions & {
    readonly id: string
    /** Path, instead of a text or records. */
    readonly file?: string | undefined
    /** Created if it does not exist. Default: `default`. */
    readonly collection?: string | undefined
  }

export type FileContent = {
  readonly id: string
  readonly bytes: Readable
  /** File name. Default: the id. */
  readonly name?: string | undefined
  /** Media type of the sender; decides between kinds of text if the name does not. */
  readonly declaredType?: string | undefined
}

/** `updated`: only attributes changed. `unchanged`: nothing did. */
type PutResult = 'created' | 'replaced' | 'updated' | 'unchanged'

export type PutDocument = { readonly document: Document; readonly result: PutResult }

type Request = {
  readonly collection: Collection
  readonly id: string
  readonly name: string
  readonly facts: StatedFacts
  readonly mediaType?: string | undefined
  readonly declaredType?: string | undefined
}

type DocumentPutsDeps = {
  readonly store: Pick<Store, 'documents' | 'content' | 'collections'>
  readonly collections: CollectionAdmin
  readonly queue: Queue
  readonly changes: Changes
}

/** OpenAI's bound. */
const MAX_ATTRIBUTES = 16

/** Length of a name, so that lists stay readable. */
const MAX_NAME_CHARS = 200

export class DocumentPuts {
  readonly #deps: DocumentPutsDeps

  constructor(deps: DocumentPutsDeps) {
    this.#deps = deps
  }

  async findOrCreateCollection(nameOrId: string): Promise<Collection> {
    const { store, collections } = this.#deps
    const byId = await store.collections.findById(nameOrId)
    const collection = byId?.hidden === false ? byId : await collections.findOrCreate(nameOrId)
    if (!collection.hidden) return collection
    throw new AppError('not_found', localizable`There is no collection ${nameOrId}.`, {
      subject: 'collection',
    })
  }

  /** Throws `invalid_input` unless exactly one content is given. */
  async putContent(
    collection: Collection,
    { id = createId('doc-'), ...document }: InlineDocument,
    signal?: AbortSignal,
  ): Promise<PutDocument> {
    const { bytes, mediaType } = renderContent(document)
    const request = {
      collection,
      id,
      name: toName(document.title ?? id),
      facts: document,
      mediaType,
    }
    const { content } = this.#deps.store
    const source = toExternalSource(id)
    const staging = await content.openStaging()
    try {
      const staged = staging.write(bytes)
      await staging.sync(signal)
      return await this.#put({ ...request, source }, staged)
    } finally {
      await staging.close()
    }
  }

  /**
   * Puts bytes as they arrive; an interrupted file leaves nothing. Calls `describe` after the
   * bytes.
   */
  async putFile(
    collection: Collection,
    { id, bytes, name, declaredType }: FileContent,
    describe: () => Promise<StatedFacts>,
    signal?: AbortSignal,
  ): Promise<PutDocument> {
    const source = toExternalSource(id)
    const put = async (staged: StagedBytes) => {
      const facts = await describe()
      const request = { collection, id, name: toName(name || id), facts, declaredType, source }
      return await this.#put(request, staged)
    }
    return await this.#deps.store.content.stageStream(bytes, put, signal)
  }

  async #put(
    request: Request & { readonly source: string },
    staged: StagedBytes,
  ): Promise<PutDocument> {
    const { store, collections, queue } = this.#deps
    const { collection, source, name, facts, declaredType } = request
    await collections.use(collection)
    const existing = await store.documents.findBySource(collection.id, source)
    const settings = toSettings(request, existing?.settings)
    const { attributes = {} } = facts
    if (Object.keys(attributes).length > MAX_ATTRIBUTES)
      throw new AppError(
        'invalid_input',
        localizable`A document has at most ${MAX_ATTRIBUTES} attributes.`,
      )
    const isSame =
      existing !== undefined &&
      existing.sha256 === staged.sha256 &&
      existing.name === name &&
      existing.declaredType === declaredType &&
      isDeepStrictEqual(existing.settings, settings) &&
      (await store.content.isComplete(staged)) &&
      (await this.#deps.changes.compareSame(collection, existing, existing)) !== undefined
    if (isSame) return await this.#keep(existing.id, attributes)
    const entry = { collectionId: collection.id, source, name, settings, attributes }
    const id = await queue.add(entry, staged, declaredType)
    return { document: await this.#find(id), result: existing ? 'replaced' : 'created' }
  }

  async #keep(id: string, attributes: Attributes): Promise<PutDocument> {
    const document = await this.#find(id)
    if (isDeepStrictEqual(document.attributes, attributes)) return { document, result: 'unchanged' }
    await this.#deps.store.documents.setAttributes(id, attributes)
    return { document: { ...document, attributes }, result: 'updated' }
  }

  async #find(id: string): Promise<Document> {
    const document = await this.#deps.store.documents.find(id)
    if (document) return document
    throw new AppError('conflict', 'The document was deleted while it was stored. Send it again.')
  }
}

function toSettings(
  { facts, mediaType }: Request,
  before: DocumentSettings = {},
): DocumentSettings {
  const { chunking, withoutVectors, ocr } = before
  const { title, language, url } = facts
  return {
    ...(chunking && { chunking }),
    ...(withoutVectors && { withoutVectors }),
    ...(ocr && { ocr }),
    ...(mediaType && { mediaType }),
    ...(title && { title }),
    ...(language && { language }),
    ...(url && { url }),
  }
}

function toName(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cs}/\\]+/gu, ' ').trim()
  return [...clean].slice(0, MAX_NAME_CHARS).join('').trim() || 'document'
}
