import { parseIsoDate } from '../../../../text/iso-date.ts'
import type { Metadata } from '../../parser.ts'
import { DEFAULT_CODE_PAGE, findCodePage } from './charsets.ts'

export class RtfHeader {
  #codePage = DEFAULT_CODE_PAGE
  #defaultFont = 0
  #font = 0
  #style: { readonly number: number; readonly level?: number } = { number: 0 }
  #date: Record<string, number> = {}
  readonly #fontCodePages = new Map<number, number>()
  readonly #styleLevels = new Map<number, number>()
  readonly #facts = new Map<string, string>()

  setDocument(word: string, value: number | undefined): void {
    if (word === 'ansicpg' && value) this.#codePage = value
    if (word === 'mac') this.#codePage = 10_000
    if (word === 'pc') this.#codePage = 437
    if (word === 'pca') this.#codePage = 850
    if (word === 'deff') this.#defaultFont = value ?? 0
  }

  setFont(word: string, value = 0): void {
    if (word === 'f') this.#font = value
    const codePage = word === 'cpg' ? value : word === 'fcharset' ? findCodePage(value) : undefined
    if (codePage) this.#fontCodePages.set(this.#font, codePage)
  }

  setStyle(word: string, value = 0): void {
    if (word === 's') this.#style = { number: value }
    if (word === 'outlinelevel') this.#style = { ...this.#style, level: value + 1 }
  }

  nameStyle(name: string): void {
    const named = /^heading ([1-9])$/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? '1' : undefined)
    const level = named ? Number(named) : this.#style.level
    if (level !== undefined && level <= 9)
      this.#styleLevels.set(this.#style.number, Math.min(6, level))
    this.#style = { number: 0 }
  }

  setFact(name: string, text: string): void {
    if (text.trim()) this.#facts.set(name, text.trim())
  }

  setDatePart(word: string, value = 0): void {
    this.#date[word] = value
  }

  endDate(name: string): void {
    const { yr, mo = 1, dy = 1, hr = 0, min = 0 } = this.#date
    const two = (part: number) => String(part).padStart(2, '0')
    if (yr) this.#facts.set(name, `${yr}-${two(mo)}-${two(dy)}T${two(hr)}:${two(min)}`)
    this.#date = {}
  }

  getCodePage(font: number | undefined): number {
    return this.#fontCodePages.get(font ?? this.#defaultFont) ?? this.#codePage
  }

  getHeadingLevel(style: number | undefined): number | undefined {
    return style === undefined ? undefined : this.#styleLevels.get(style)
  }

  get metadata(): Metadata {
    return {
      title: this.#facts.get('title'),
      author: this.#facts.get('author'),
      subject: this.#facts.get('subject'),
      keywords: this.#facts.get('keywords'),
      created: parseIsoDate(this.#facts.get('creatim')),
      modified: parseIsoDate(this.#facts.get('revtim')),
    }
  }
}
