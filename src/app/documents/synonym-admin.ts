import { getMessages } from '../../errors/localizable.ts'
import { AppError, toAppError } from '../../errors.ts'
import type { Collection, Collections } from '../../ingest/store/catalog/collections.ts'
import { parseSynonyms } from '../../search/synonyms/synonym-file.ts'
import type { SynonymsJson } from '../../wire/synonyms.ts'
import { DEFAULT_COLLECTION, type Scope } from './scope.ts'

export class SynonymAdmin {
  readonly #scope: Scope
  readonly #collections: Collections

  constructor(scope: Scope, collections: Collections) {
    this.#scope = scope
    this.#collections = collections
  }

  async get(collection: string = DEFAULT_COLLECTION): Promise<SynonymsJson> {
    const found = await this.#scope.findCollection(collection)
    return describe(found, await this.#collections.readSynonyms(found.id))
  }

  /** Replaces all synonyms. Throws `not_found`, and `invalid_input` with the line. */
  async set(text: string, collection: string = DEFAULT_COLLECTION): Promise<SynonymsJson> {
    const found = await this.#scope.findCollection(collection)
    const synonyms = describe(found, text)
    await this.#collections.writeSynonyms(found.id, synonyms.text)
    return synonyms
  }

  async clear(collection: string = DEFAULT_COLLECTION): Promise<SynonymsJson> {
    return await this.set('', collection)
  }
}

function describe({ id, name }: Collection, text: string): SynonymsJson {
  const groups = countGroups(text)
  return { collection: name, id, text, groups }
}

function countGroups(text: string): number {
  try {
    return parseSynonyms(text).length
  } catch (error) {
    const cause = toAppError(error)
    throw new AppError(cause.code, getMessages(cause).message, { cause: error, about: text })
  }
}
