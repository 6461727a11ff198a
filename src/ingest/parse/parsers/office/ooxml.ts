import { posix } from 'node:path'
import { localizable, withMessage } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { parseIsoDate } from '../../../../text/iso-date.ts'
import { ZipArchive } from '../../detection/zip.ts'
import {
  createDamagedError,
  type Metadata,
  type ParserEvent,
  type ParserInput,
} from '../../parser.ts'
import { hasWords, type SkippedText } from '../../skipped-text.ts'
import type { XmlPart } from './xml.ts'
import { findChildren, readElementText, readXmlTree, type XmlElement } from './xml-tree.ts'

const PROPERTIES = 'docProps/core.xml'
const OWN_PROPERTIES = 'docProps/custom.xml'
/** Properties of ECMA-376-2, 11.1 that no metadata has. */
const FURTHER = ['description', 'category']

export type Relation = { readonly type: string; readonly target: string }

/** Returns an empty text for places in the document itself. */
export function findLinkTarget(
  id: string | undefined,
  relations: ReadonlyMap<string, Relation>,
): string {
  const relation = relations.get(id ?? '')
  return relation?.type === 'hyperlink' ? relation.target : ''
}

export function isEmbeddedObject({ type }: Relation): boolean {
  return type === 'oleObject' || type === 'package'
}

/** Inflates nothing before its size is checked. */
export class OoxmlPackage {
  readonly #archive: ZipArchive
  readonly #name: string
  readonly #signal: AbortSignal | undefined

  private constructor(archive: ZipArchive, name: string, signal?: AbortSignal) {
    this.#archive = archive
    this.#name = name
    this.#signal = signal
  }

  /** Throws `corrupt` and `too_large`. Close it after use. */
  static async open(input: ParserInput, signal?: AbortSignal): Promise<OoxmlPackage> {
    signal?.throwIfAborted()
    const archive = await ZipArchive.open(input.path, input.name, input.countBytes)
    try {
      archive.refuseBombs()
    } catch (error) {
      archive.close()
      throw error
    }
    return new OoxmlPackage(archive, input.name, signal)
  }

  close(): void {
    this.#archive.close()
  }

  async findMainPart(usual: string): Promise<string> {
    const [main] = await this.findRelations('', 'officeDocument')
    for (const part of [main?.target, usual]) if (part && this.has(part)) return part
    throw createDamagedError(this.#name, localizable`it lacks ${usual}, its main part`)
  }

  has(part: string): boolean {
    return this.#archive.entryNames.includes(part)
  }

  stream(part: string): XmlPart | undefined {
    const bytes = this.#archive.stream(part)
    return bytes && { name: this.#name, part, bytes, signal: this.#signal }
  }

  read(part: string): Promise<Buffer | undefined> {
    return this.#archive.read(part)
  }

  async readTree(part: string | undefined): Promise<XmlElement | undefined> {
    const stream = part && this.stream(part)
    return stream ? readXmlTree(stream) : undefined
  }

  async readRelations(part: string): Promise<ReadonlyMap<string, Relation>> {
    const folder = posix.dirname(part)
    const tree = await this.readTree(posix.join(folder, '_rels', `${posix.basename(part)}.rels`))
    const found = new Map<string, Relation>()
    for (const { attributes } of findChildren(tree, 'Relationship')) {
      const { Id, Type, Target, TargetMode } = attributes
      if (!Id || !Type || !Target) continue
      const type = Type.slice(Type.lastIndexOf('/') + 1)
      const isExternal = TargetMode === 'External'
      if (isExternal && type !== 'hyperlink') continue
      const inner = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      found.set(Id, { type, target: isExternal ? Target : inner })
    }
    return found
  }

  async findRelations(part: string, type: string): Promise<readonly Relation[]> {
    return [...(await this.readRelations(part)).values()].filter(relation => relation.type === type)
  }

  async *emitMetadata(skipped: SkippedText, more: Metadata = {}): AsyncGenerator<ParserEvent> {
    try {
      skipped.add('document properties', await this.#countFurtherProperties())
      yield { type: 'metadata', metadata: { ...(await this.#readMetadata()), ...more } }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'corrupt') throw error
      if (Object.keys(more).length > 0) yield { type: 'metadata', metadata: more }
      const message = localizable`Title, author and dates are not read: ${PROPERTIES} is damaged.`
      yield { type: 'warning', warning: withMessage({ code: 'missing_parts' }, message) }
    }
  }

  async #countFurtherProperties(): Promise<number> {
    const further = findChildren(await this.readTree(PROPERTIES), ...FURTHER)
    const own = findChildren(await this.readTree(OWN_PROPERTIES), 'property')
    return [...further, ...own].filter(element => hasWords(readElementText(element))).length
  }

  async #readMetadata(): Promise<Metadata> {
    const properties = await this.readTree(PROPERTIES)
    const facts = new Map(
      findChildren(properties).map(element => [
        element.name,
        readElementText(element).trim() || undefined,
      ]),
    )
    const dates = {
      created: parseIsoDate(facts.get('created')),
      modified: parseIsoDate(facts.get('modified')),
    }
    const isResaved = Number(facts.get('revision') ?? 0) > 1
    const written = isResaved ? undefined : this.#archive.findDate(PROPERTIES)
    return {
      title: facts.get('title'),
      author: facts.get('creator'),
      subject: facts.get('subject'),
      keywords: facts.get('keywords'),
      language: facts.get('language'),
      ...dropTemplateDates(dates, written),
    }
  }
}

type StatedDates = Pick<Metadata, 'created' | 'modified'>

/** Age of a template, which a library keeps for years: a file of this year may state an earlier day. */
const TEMPLATE_AGE_MS = 365 * 24 * 60 * 60 * 1000
/** Time within which a template is made and saved for the last time. */
const TEMPLATE_MS = 60 * 60 * 1000

/**
 * Omits dates that a program copied from its template: changes before the creation, and a file
 * written years after its only save.
 */
function dropTemplateDates({ created, modified }: StatedDates, written?: Date): StatedDates {
  if (created === undefined || modified === undefined) return { created, modified }
  const editedMs = Date.parse(modified) - Date.parse(created)
  if (editedMs < 0) return { created }
  const ageMs = written ? written.getTime() - Date.parse(modified) : 0
  return editedMs <= TEMPLATE_MS && ageMs > TEMPLATE_AGE_MS ? {} : { created, modified }
}
