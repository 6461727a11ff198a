import {
  compileNumberFormat,
  findBuiltinFormat,
  isTooLongCode,
  type NumberFormat,
} from '../office/number-format.ts'
import type { OoxmlPackage } from '../office/ooxml.ts'
import { findChild, findChildren } from '../office/xml-tree.ts'

export class CellStyles {
  readonly #codes: readonly string[]
  readonly #is1904: boolean
  readonly #formats = new Map<string, NumberFormat>()

  constructor(codes: readonly string[], is1904: boolean) {
    this.#codes = codes
    this.#is1904 = is1904
  }

  static async read(
    pack: OoxmlPackage,
    part: string | undefined,
    is1904: boolean,
  ): Promise<CellStyles> {
    const tree = await pack.readTree(part)
    const own = new Map(
      findChildren(findChild(tree, 'numFmts'), 'numFmt').map(({ attributes }) => [
        attributes.numFmtId,
        attributes.formatCode,
      ]),
    )
    const codes = findChildren(findChild(tree, 'cellXfs'), 'xf').map(
      ({ attributes: { numFmtId } }) => {
        return own.get(numFmtId) ?? findBuiltinFormat(Number(numFmtId)) ?? 'General'
      },
    )
    return new CellStyles(codes, is1904)
  }

  get unused(): number {
    return new Set(this.#codes.filter(isTooLongCode)).size
  }

  format(style: number): NumberFormat {
    const code = this.#codes[style] ?? 'General'
    const cached = this.#formats.get(code)
    if (cached) return cached
    const format = compileNumberFormat(code, { is1904: this.#is1904 })
    this.#formats.set(code, format)
    return format
  }
}
