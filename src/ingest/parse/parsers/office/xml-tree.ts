import { parseXmlEvents, type XmlAttributes, type XmlEvent, type XmlPart } from './xml.ts'

export type XmlElement = {
  readonly name: string
  readonly attributes: XmlAttributes
  readonly children: readonly (XmlElement | string)[]
}

type OpenElement = XmlElement & { readonly children: (XmlElement | string)[] }

export class XmlTrees {
  readonly #isIncluded: (name: string) => boolean
  readonly #open: OpenElement[] = []

  constructor(isIncluded: (name: string) => boolean) {
    this.#isIncluded = isIncluded
  }

  /** Returns the outermost requested element once it is complete. */
  add(event: XmlEvent): XmlElement | undefined {
    const parent = this.#open.at(-1)
    if (event.type === 'text') parent?.children.push(event.text)
    else if (event.type === 'open') {
      if (!parent && !this.#isIncluded(event.name)) return undefined
      this.#open.push({ name: event.name, attributes: event.attributes, children: [] })
    } else if (parent) {
      this.#open.pop()
      const outer = this.#open.at(-1)
      if (!outer) return parent
      outer.children.push(parent)
    }
    return undefined
  }
}

export async function* readXmlElements(
  part: XmlPart,
  isIncluded: (name: string) => boolean,
): AsyncGenerator<XmlElement> {
  const trees = new XmlTrees(isIncluded)
  for await (const events of parseXmlEvents(part))
    for (const event of events) {
      const element = trees.add(event)
      if (element) yield element
    }
}

export async function readXmlTree(part: XmlPart): Promise<XmlElement> {
  let root: XmlElement | undefined
  for await (const element of readXmlElements(part, () => true)) root = element
  return root ?? { name: '', attributes: {}, children: [] }
}

export function findChildren(
  parent: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement[] {
  const children = (parent?.children ?? []).filter(child => typeof child !== 'string')
  return names.length === 0 ? children : children.filter(child => names.includes(child.name))
}

export function findChild(
  root: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>(
    (element, name) => findChildren(element, name)[0],
    root,
  )
}

/** Keeps the order; finds none within another. */
export function* findDescendants(
  root: XmlElement | undefined,
  ...names: readonly string[]
): Iterable<XmlElement> {
  for (const child of findChildren(root)) {
    if (names.includes(child.name)) yield child
    else yield* findDescendants(child, ...names)
  }
}

export function readElementText(element: XmlElement | undefined): string {
  if (!element) return ''
  return element.children
    .map(child => (typeof child === 'string' ? child : readElementText(child)))
    .join('')
}
