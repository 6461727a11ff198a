import { z } from 'zod'
import { getItem } from '../../system/items.ts'
import { buildUnigramTables, Unigram, type UnigramTables } from '../chunk/tokens/unigram.ts'
import { packVocabulary, type VocabularyList } from '../chunk/tokens/vocabulary.ts'
import type { Tokenizer } from '../chunk/tokens.ts'

const Replace = z.object({
  type: z.literal('Replace'),
  pattern: z.object({ Regex: z.string() }),
  content: z.string(),
})
const UnicodeForm = z.object({ type: z.enum(['NFC', 'NFD', 'NFKC', 'NFKD']) })
const TemplateItem = z.union([
  z.object({ SpecialToken: z.object({ id: z.string() }) }),
  z.object({ Sequence: z.object({}) }),
])

const UNITS = 0x10000
const SPACE = 0x20
const PLAIN = 1
const SPECIAL = 2
/** Marks, halves of characters, and Hangul letters, which join the character before them. */
const JOINING = /[\p{M}\ud800-\udfff\u1100-\u11ff]/u

const AddedToken = z.object({
  id: z.number(),
  content: z.string(),
  lstrip: z.boolean(),
  rstrip: z.boolean(),
  normalized: z.literal(false),
})

const UnigramJson = z.object({
  added_tokens: z.array(AddedToken),
  normalizer: z.object({
    type: z.literal('Sequence'),
    normalizers: z.array(z.union([Replace, UnicodeForm])),
  }),
  pre_tokenizer: z.object({
    type: z.literal('Metaspace'),
    replacement: z.literal('▁'),
    prepend_scheme: z.literal('always'),
  }),
  post_processor: z.object({
    type: z.literal('TemplateProcessing'),
    single: z.array(TemplateItem),
    special_tokens: z.record(z.string(), z.object({ ids: z.array(z.number()) })),
  }),
  model: z.object({
    type: z.literal('Unigram'),
    unk_id: z.number(),
    vocab: z.custom<VocabularyList>(Array.isArray), // 100,000 entries or more are not checked one by one
    byte_fallback: z.literal(false),
  }),
})

type UnigramJson = z.infer<typeof UnigramJson>
type AddedToken = z.infer<typeof AddedToken>

/** Returns undefined for another kind of tokenizer. `tables` spare preparing its vocabulary. */
export async function readUnigramTokenizer(
  json: object,
  packedTables?: UnigramTables,
): Promise<Tokenizer | undefined> {
  const { data } = UnigramJson.safeParse(json)
  if (!data) return undefined
  const tables = packedTables ?? (await buildUnigramTables(packVocabulary(data.model.vocab)))
  return new UnigramTokenizer(data, new Unigram(tables, data.model.unk_id))
}

/** Gives the ids that @huggingface/tokenizers gives for the same file. */
class UnigramTokenizer implements Tokenizer {
  readonly #unigram: Unigram
  readonly #normalize: (text: string) => string
  readonly #plain: PlainText | undefined
  readonly #added: ReadonlyMap<string, AddedToken>
  readonly #addedPattern: RegExp
  readonly #longestAdded: number
  readonly #before: readonly number[]
  readonly #after: readonly number[]

  constructor(json: UnigramJson, unigram: Unigram) {
    this.#unigram = unigram
    const { normalizers } = json.normalizer
    this.#normalize = createNormalizer(normalizers)
    const starts = json.added_tokens.map(token => token.content)
    this.#plain = normalizers.every(isOfCharacters)
      ? new PlainText(this.#normalize, ['▁', ...starts])
      : undefined
    this.#added = new Map(json.added_tokens.map(token => [token.content, token]))
    this.#addedPattern = matchAny([...this.#added.keys()])
    this.#longestAdded = Math.max(0, ...json.added_tokens.map(token => token.content.length))
    const { single, special_tokens } = json.post_processor
    const sequence = single.findIndex(item => 'Sequence' in item)
    const idsOf = (items: typeof single) =>
      items.flatMap(item =>
        'SpecialToken' in item ? (special_tokens[item.SpecialToken.id]?.ids ?? []) : [],
      )
    this.#before = idsOf(single.slice(0, sequence))
    this.#after = idsOf(single.slice(sequence + 1))
  }

  count(text: string): number {
    if (this.#plain?.isPlain(text))
      return this.#unigram.count(text === '' || text.startsWith(' ') ? text : ` ${text}`)
    let tokens = 0
    for (const section of this.#splitSections(text))
      tokens += this.#isAdded(section) ? 1 : this.#unigram.count(section)
    return tokens
  }

  encode(text: string, maxLength: number): readonly number[] {
    const ids = this.#splitSections(text).flatMap(
      section => this.#added.get(section)?.id ?? this.#unigram.encode(section),
    )
    const room = maxLength - this.#before.length - this.#after.length
    return [...this.#before, ...ids.slice(0, room), ...this.#after]
  }

  /** Hashes no text that is longer than any added token. */
  #isAdded(text: string): boolean {
    return text.length <= this.#longestAdded && this.#added.has(text)
  }

  #splitSections(text: string): readonly string[] {
    const sections = text.split(this.#addedPattern)
    for (let index = 1; index < sections.length; index += 2) {
      const token = this.#added.get(getItem(sections, index))
      if (token?.lstrip) sections[index - 1] = getItem(sections, index - 1).trimEnd()
      if (token?.rstrip) sections[index + 1] = getItem(sections, index + 1).trimStart()
    }
    return sections
      .map((section, index) => (index % 2 ? section : this.#prependSpace(section)))
      .filter(section => section !== '')
  }

  /** Keeps a text that normalisation turns into an added token, such as `＜s＞`. */
  #prependSpace(section: string): string {
    const normal = this.#normalize(section).replaceAll('▁', ' ')
    return normal === '' || normal.startsWith(' ') || this.#isAdded(normal) ? normal : ` ${normal}`
  }
}

function isOfCharacters(step: UnigramJson['normalizer']['normalizers'][number]): boolean {
  return (
    step.type !== 'Replace' ||
    step.pattern.Regex === ' {2,}' ||
    /^\[[^\][]+\]$/.test(step.pattern.Regex)
  )
}

function createNormalizer(
  steps: UnigramJson['normalizer']['normalizers'],
): (text: string) => string {
  const functions = steps.map(step => {
    if (step.type !== 'Replace') return (text: string) => text.normalize(step.type)
    const pattern = new RegExp(step.pattern.Regex, 'gu')
    return (text: string) => text.replace(pattern, () => step.content)
  })
  return text => functions.reduce((normal, apply) => apply(normal), text)
}

function matchAny(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  return new RegExp(
    `(${longestFirst.map(word => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
    'g',
  )
}

class PlainText {
  /** Kind of each UTF-16 unit; 0 before its check. */
  readonly #kinds = new Uint8Array(UNITS)
  readonly #normalize: (text: string) => string

  /** Texts with a `special` character are never plain. */
  constructor(normalize: (text: string) => string, special: Iterable<string>) {
    this.#normalize = normalize
    for (const character of special) this.#kinds[character.charCodeAt(0)] = SPECIAL
  }

  isPlain(text: string): boolean {
    let before = 0
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      const kind = this.#kinds[unit] || this.#learn(unit)
      if (kind === SPECIAL || (unit === SPACE && before === SPACE)) return false
      before = unit
    }
    return true
  }

  #learn(unit: number): number {
    const character = String.fromCharCode(unit)
    const kind =
      this.#normalize(character) === character && !JOINING.test(character) ? PLAIN : SPECIAL
    this.#kinds[unit] = kind
    return kind
  }
}
