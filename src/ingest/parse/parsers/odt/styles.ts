import {
  formatBeforeItem,
  formatLetters,
  formatListNumber,
  formatRepeatedLetters,
  type Numbering,
} from '../office/list-numbers.ts'
import { findAttribute } from '../office/xml.ts'
import { findChildren, type XmlElement } from '../office/xml-tree.ts'
import type { Elevation } from '../raised-text.ts'

type Style = {
  readonly displayName: string
  readonly parent?: string
  readonly outlineLevel?: string
  /** Position and size, such as `super 58%`. */
  readonly textPosition?: string
}

type Counting = {
  readonly by: Numbering
  readonly lettersOf: (number: number) => string
  readonly prefix: string
  readonly suffix: string
}

const NUMBERINGS = new Map<string, Numbering>([
  ...(['1', 'a', 'A', 'i', 'I'] as const).map(by => [by, by] as const),
  ['一, 二, 三, ...', '一'],
  ['壹, 贰, 叁, ...', '壹'],
  ['甲, 乙, 丙, ...', '甲'],
  ['子, 丑, 寅, ...', '子'],
  ['①, ②, ③, ...', '①'],
])

/** Protects against cycles. */
const MAX_ANCESTORS = 10

export class OdtStyles {
  readonly #styles = new Map<string, Style>()
  readonly #numbered = new Map<string, ReadonlyMap<string, Counting>>()

  add(element: XmlElement): void {
    const name = findAttribute(element.attributes, 'name')
    if (!name) return
    if (element.name === 'list-style') {
      this.#numbered.set(
        name,
        new Map(findChildren(element, 'list-level-style-number').flatMap(readCounting)),
      )
    } else {
      this.#styles.set(name, {
        displayName: findAttribute(element.attributes, 'display-name') ?? name,
        parent: findAttribute(element.attributes, 'parent-style-name'),
        outlineLevel: findAttribute(element.attributes, 'default-outline-level'),
        textPosition: findAttribute(
          findChildren(element, 'text-properties')[0]?.attributes ?? {},
          'text-position',
        ),
      })
    }
  }

  listMarker(
    { style, level }: { readonly style: string | undefined; readonly level: number },
    number: number,
  ): string {
    const counting = this.#numbered.get(style ?? '')?.get(String(level))
    if (!counting) return ''
    const { by, lettersOf, prefix, suffix } = counting
    return formatBeforeItem(`${prefix}${formatListNumber(number, by, lettersOf)}${suffix}`)
  }

  findElevation(styleName: string | undefined): Elevation | undefined {
    const [position = ''] = this.#styles.get(styleName ?? '')?.textPosition?.split(' ') ?? []
    if (position === 'super' || Number.parseInt(position, 10) > 0) return 'raised'
    return position === 'sub' || Number.parseInt(position, 10) < 0 ? 'lowered' : undefined
  }

  findHeadingLevel(styleName: string | undefined): number | undefined {
    let name = styleName
    for (let step = 0; name && step < MAX_ANCESTORS; step++) {
      const style: Style | undefined = this.#styles.get(name)
      if (style?.displayName === 'Title' || name === 'Title') return 1
      if (style?.outlineLevel) return Math.min(6, Number(style.outlineLevel)) || undefined
      name = style?.parent
    }
    return undefined
  }
}

function readCounting({ attributes }: XmlElement): readonly (readonly [string, Counting])[] {
  const by = NUMBERINGS.get(findAttribute(attributes, 'num-format') ?? '')
  if (!by) return []
  const [prefix = '', suffix = '.'] = ['num-prefix', 'num-suffix'].map(name =>
    findAttribute(attributes, name),
  )
  const lettersOf =
    findAttribute(attributes, 'num-letter-sync') === 'true' ? formatRepeatedLetters : formatLetters
  return [[findAttribute(attributes, 'level') ?? '', { by, lettersOf, prefix, suffix }]]
}
