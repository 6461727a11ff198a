import { localizable } from '../../../../errors/localizable.ts'
import { AppError } from '../../../../errors.ts'
import { createDamagedError } from '../../parser.ts'

export type XmlAttributes = Readonly<Record<string, string>>

/** Names lack their prefix, which writers choose freely. */
export type XmlEvent =
  | { readonly type: 'open'; readonly name: string; readonly attributes: XmlAttributes }
  | { readonly type: 'close'; readonly name: string }
  | { readonly type: 'text'; readonly text: string }

export type XmlPart = {
  readonly name: string
  readonly part: string
  readonly bytes: AsyncIterable<Uint8Array>
  readonly signal?: AbortSignal
  readonly markup?: XmlMarkup
}

/** Receives what is no text of an element. */
type XmlMarkup = {
  readonly onComment: (text: string) => void
  readonly onInstruction: (name: string, text: string) => void
  /** Returns the texts of the entities that the DTD declares. */
  readonly readEntities: (doctype: string) => ReadonlyMap<string, string>
}

/** Protects the stack of code that walks a tree. */
const MAX_DEPTH = 256

/**
 * Parses XML as its bytes arrive. Entities that nobody reads are corrupt. Throws `corrupt`, and
 * `too_large` for endless nesting.
 */
export async function* parseXmlEvents({
  name,
  part,
  bytes,
  signal,
  markup,
}: XmlPart): AsyncGenerator<readonly XmlEvent[]> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: false as const, position: false })
  let events: XmlEvent[] = []
  let depth = 0
  parser.on('error', error => {
    if (!/disallowed character\.$/.test(error.message))
      throw createDamagedXmlError({ name, part }, error)
  })
  parser.on('text', text => events.push({ type: 'text', text }))
  parser.on('cdata', text => events.push({ type: 'text', text }))
  parser.on('opentag', tag => {
    if (++depth > MAX_DEPTH) throw createTooDeepError({ name, part })
    events.push({ type: 'open', name: toLocalName(tag.name), attributes: tag.attributes })
  })
  parser.on('closetag', tag => {
    depth--
    events.push({ type: 'close', name: toLocalName(tag.name) })
  })
  if (markup) {
    parser.on('comment', markup.onComment)
    parser.on('processinginstruction', ({ target, body }) => markup.onInstruction(target, body))
    parser.on('doctype', doctype => {
      for (const [entity, text] of markup.readEntities(doctype)) parser.ENTITIES[entity] = text
    })
  }
  for await (const text of decodeXml(bytes)) {
    signal?.throwIfAborted()
    parser.write(text)
    yield events
    events = []
  }
  parser.close()
  yield events
}

/** XML of Office is UTF-8, or UTF-16 with a mark. */
async function* decodeXml(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const piece of bytes) {
    decoder ??= new TextDecoder(detectUtf16(piece) ?? 'utf-8')
    yield decoder.decode(piece, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

function detectUtf16([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

export function findAttribute(attributes: XmlAttributes, name: string): string | undefined {
  for (const key in attributes) if (toLocalName(key) === name) return attributes[key]
  return undefined
}

/** Checks the prefix, since `r:id` stands beside another `id`. */
export function findRelationId(attributes: XmlAttributes, name = 'id'): string | undefined {
  const key = Object.keys(attributes).find(
    written => written.includes(':') && toLocalName(written) === name,
  )
  return key && attributes[key]
}

function toLocalName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

function createDamagedXmlError(
  { name, part }: Pick<XmlPart, 'name' | 'part'>,
  cause: Error,
): AppError {
  return createDamagedError(name, localizable`its part ${part} is damaged`, cause)
}

function createTooDeepError({ name, part }: Pick<XmlPart, 'name' | 'part'>): AppError {
  return new AppError(
    'too_large',
    localizable`Refused ${name}: its part ${part} nests deeper than ${MAX_DEPTH} elements.`,
  )
}
