/** The part of the DOM that we use; linkedom's own types want the browser's library. */
export type DomNode = {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly localName?: string
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly parentNode: DomNode | null
  getAttribute?(name: string): string | null
}

export type DomElement = DomNode & {
  readonly localName: string
  getAttribute(name: string): string | null
}

/** Children that are elements, of one of the names if any are given. */
export function* listChildElements(
  parent: DomNode,
  ...names: readonly string[]
): Iterable<DomElement> {
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    const name = node.nodeType === 1 ? node.localName : undefined
    if (name && (names.length === 0 || names.includes(name))) yield node as DomElement // node type 1 is an element
  }
}
