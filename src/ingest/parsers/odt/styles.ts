import type { Elevation } from '../raised-text.ts'
import { attribute } from '../xml.ts'
import { elements, type XmlElement } from '../xml-tree.ts'

type Style = {
  readonly shownName: string
  readonly parent?: string | undefined
  readonly outlineLevel?: string | undefined
  /** As `super 58%`. */
  readonly textPosition?: string | undefined
}

/** A chain of styles longer than this is a circle. */
const MAX_ANCESTORS = 10

/** What the styles of a text document mean for its structure. */
export class OdtStyles {
  readonly #styles = new Map<string, Style>()
  /** Levels of each list style, counted from 1, that are numbered in Arabic. */
  readonly #numbered = new Map<string, ReadonlySet<string>>()

  /** Take note of a `style` or `list-style` element; its own file's wins over those told before. */
  add(element: XmlElement): void {
    const name = attribute(element.attributes, 'name')
    if (!name) return
    if (element.name === 'list-style') {
      const levels = elements(element, 'list-level-style-number').filter(
        level => attribute(level.attributes, 'num-format') === '1',
      )
      this.#numbered.set(name, new Set(levels.map(level => attribute(level.attributes, 'level') ?? '')))
    } else {
      this.#styles.set(name, {
        shownName: attribute(element.attributes, 'display-name') ?? name,
        parent: attribute(element.attributes, 'parent-style-name'),
        outlineLevel: attribute(element.attributes, 'default-outline-level'),
        textPosition: attribute(elements(element, 'text-properties')[0]?.attributes ?? {}, 'text-position'),
      })
    }
  }

  isNumbered(listStyle: string | undefined, level: number): boolean {
    return listStyle !== undefined && (this.#numbered.get(listStyle)?.has(String(level)) ?? false)
  }

  /** Of text in a style of its own. */
  elevation(styleName: string | undefined): Elevation | undefined {
    const [position = ''] = this.#styles.get(styleName ?? '')?.textPosition?.split(' ') ?? []
    if (position === 'super' || Number.parseInt(position, 10) > 0) return 'raised'
    return position === 'sub' || Number.parseInt(position, 10) < 0 ? 'lowered' : undefined
  }

  /** 1 to 6 for paragraphs whose style, or what it derives from, is that of a title or heading. */
  headingLevel(styleName: string | undefined): number | undefined {
    let name = styleName
    for (let step = 0; name && step < MAX_ANCESTORS; step++) {
      const style: Style | undefined = this.#styles.get(name)
      if (style?.shownName === 'Title' || name === 'Title') return 1
      if (style?.outlineLevel) return Math.min(6, Number(style.outlineLevel)) || undefined
      name = style?.parent
    }
    return undefined
  }
}
