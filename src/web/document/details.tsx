import { useSignal } from '@preact/signals'
import { setAttributes } from '../documents/stored-document.ts'
import { Icon } from '../icons.tsx'
import { bytesText, dateText, languageText, numberText, t, timeText } from '../preferences.ts'
import { href } from '../route.ts'
import { type Told, ToldText, toldOf } from '../told.tsx'
import type { DocumentReport } from './document-report.ts'

/** What is known of a document, what is wrong with it, and the attributes that searches can be narrowed by. */
export function DocumentDetails({ document }: { readonly document: DocumentReport }) {
  return (
    <div class="details">
      <Facts document={document} />
      <Warnings document={document} />
      <Attributes document={document} />
    </div>
  )
}

function Facts({ document }: { readonly document: DocumentReport }) {
  const words = t().document.facts
  const { metadata, report = [] } = document
  const ocr = report.filter(page => page.ocr).length
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.source, document.source],
    [words.type, document.mediaType],
    [words.bytes, bytesText(document.bytes)],
    [words.pages, document.pages === undefined ? undefined : numberText(document.pages)],
    [words.ocr, ocr > 0 ? t().documents.pages(ocr) : undefined],
    [words.chunks, numberText(document.chunks)],
    [words.added, timeText(document.createdAt)],
    [words.indexed, document.indexedAt === undefined ? undefined : timeText(document.indexedAt)],
    [words.author, metadata.author],
    [words.created, dated(metadata.created)],
    [words.modified, dated(metadata.modified)],
    [words.language, metadata.language && languageText(metadata.language)],
  ]
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** As people write it, where it is a date at all. */
function dated(told: string | undefined): string | undefined {
  if (told === undefined || Number.isNaN(Date.parse(told))) return told
  return told.length > 10 ? timeText(Date.parse(told)) : dateText(Date.parse(told))
}

function Warnings({ document: { id, warnings } }: { readonly document: DocumentReport }) {
  if (warnings.length === 0) return null
  return (
    <section>
      <h2>{t().document.warnings}</h2>
      <ul class="warnings">
        {warnings.map((warning, at) => (
          <li key={at}>
            <Icon name="warning" />
            <span>
              <ToldText told={warning} />{' '}
              {warning.page !== undefined && (
                <a href={href('documents', id, { page: String(warning.page) })}>
                  {t().ask.page(warning.page)}
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Pair = { readonly name: string; readonly value: string }

function Attributes({ document }: { readonly document: DocumentReport }) {
  const pairs = useSignal<readonly Pair[]>(
    Object.entries(document.attributes).map(([name, value]) => ({ name, value: String(value) })),
  )
  const told = useSignal<Told | undefined>(undefined)
  const hadAny = Object.keys(document.attributes).length > 0
  const change = (at: number, part: Partial<Pair>) => {
    pairs.value = pairs.value.map((pair, index) => (index === at ? { ...pair, ...part } : pair))
  }
  const save = async (event: Event) => {
    event.preventDefault()
    try {
      await setAttributes(
        document,
        Object.fromEntries(pairs.value.filter(pair => pair.name.trim()).map(typed)),
      )
      told.value = { message: t().document.saved }
    } catch (error) {
      told.value = toldOf(error)
    }
  }
  return (
    <form class="attributes" onSubmit={save}>
      <h2>{t().document.attributes}</h2>
      <p class="quiet">{t().document.attributesHint}</p>
      {pairs.value.map((pair, at) => (
        <AttributeFields
          key={at}
          pair={pair}
          change={part => change(at, part)}
          remove={() => {
            pairs.value = pairs.value.filter((_, index) => index !== at)
          }}
        />
      ))}
      <p class="attribute-buttons">
        <button
          type="button"
          class="secondary"
          disabled={pairs.value.length >= 16}
          onClick={() => {
            pairs.value = [...pairs.value, { name: '', value: '' }]
          }}
        >
          <Icon name="plus" />
          {t().document.add}
        </button>
        {(pairs.value.length > 0 || hadAny) && (
          <button type="submit" class="primary">
            {t().save}
          </button>
        )}
        <span role="status">{told.value && <ToldText told={told.value} />}</span>
      </p>
    </form>
  )
}

type FieldsProps = {
  readonly pair: Pair
  readonly change: (part: Partial<Pair>) => void
  readonly remove: () => void
}

function AttributeFields({ pair, change, remove }: FieldsProps) {
  return (
    <div class="attribute">
      <input
        value={pair.name}
        maxLength={64}
        aria-label={t().document.name}
        placeholder={t().document.name}
        onInput={event => change({ name: event.currentTarget.value })}
      />
      <input
        value={pair.value}
        maxLength={512}
        aria-label={t().document.value}
        placeholder={t().document.value}
        onInput={event => change({ value: event.currentTarget.value })}
      />
      <button
        type="button"
        class="plain"
        aria-label={`${t().remove}: ${pair.name}`}
        onClick={remove}
      >
        <Icon name="remove" />
      </button>
    </div>
  )
}

/** Numbers and yes or no are kept as such, for filters compare them so. */
function typed({ name, value }: Pair): [string, string | number | boolean] {
  if (value === 'true' || value === 'false') return [name.trim(), value === 'true']
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value))
  return [name.trim(), isNumber ? Number(value) : value]
}
