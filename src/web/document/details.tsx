import { useSignal } from '@preact/signals'
import type { ReportedDocumentJson } from '../../wire/document.ts'
import { canWrite } from '../connection.ts'
import { setAttributes } from '../documents/stored-document.ts'
import { Icon } from '../icons.tsx'
import { type Notice, NoticeText, toNotice } from '../notice.tsx'
import {
  formatBytes,
  formatDate,
  formatLanguage,
  formatNumber,
  formatTime,
  t,
} from '../preferences.ts'
import { linkTo } from '../route.ts'

export function DocumentDetails({ document }: { readonly document: ReportedDocumentJson }) {
  return (
    <div class="details">
      <Facts document={document} />
      <Warnings document={document} />
      {canWrite.value && <Attributes document={document} />}
    </div>
  )
}

function Facts({ document }: { readonly document: ReportedDocumentJson }) {
  const words = t().document.facts
  const { metadata, report = [] } = document
  const ocr = report.filter(page => page.ocr).length
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.source, document.source],
    [words.type, document.mediaType],
    [words.bytes, formatBytes(document.bytes)],
    [words.pages, document.pages === undefined ? undefined : formatNumber(document.pages)],
    [words.ocr, ocr > 0 ? t().documents.pages(ocr) : undefined],
    [words.chunks, formatNumber(document.chunks)],
    [words.added, formatTime(document.createdAt)],
    [words.indexed, document.indexedAt === undefined ? undefined : formatTime(document.indexedAt)],
    [words.author, metadata.author],
    [words.created, formatIfDate(metadata.created)],
    [words.modified, formatIfDate(metadata.modified)],
    [words.language, metadata.language && formatLanguage(metadata.language)],
    ...(canWrite.value ? [] : listAttributes(document)),
  ]
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function listAttributes({ attributes }: ReportedDocumentJson): readonly [string, string][] {
  return Object.entries(attributes).map(([name, value]) => [name, String(value)])
}

function formatIfDate(value: string | undefined): string | undefined {
  if (value === undefined || Number.isNaN(Date.parse(value))) return value
  return value.length > 10 ? formatTime(value) : formatDate(value)
}

function Warnings({ document: { id, warnings } }: { readonly document: ReportedDocumentJson }) {
  if (warnings.length === 0) return null
  return (
    <section>
      <h2>{t().document.warnings}</h2>
      <ul class="warnings">
        {warnings.map((warning, index) => (
          <li key={index}>
            <Icon name="warning" />
            <span>
              <NoticeText notice={warning} />{' '}
              {warning.page !== undefined && (
                <a href={linkTo('documents', id, { page: String(warning.page) })}>
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

function Attributes({ document }: { readonly document: ReportedDocumentJson }) {
  const pairs = useSignal<readonly Pair[]>(
    Object.entries(document.attributes).map(([name, value]) => ({ name, value: String(value) })),
  )
  const notice = useSignal<Notice | undefined>(undefined)
  const hadAny = Object.keys(document.attributes).length > 0
  const updatePair = (changedIndex: number, part: Partial<Pair>) => {
    pairs.value = pairs.value.map((pair, index) =>
      index === changedIndex ? { ...pair, ...part } : pair,
    )
  }
  const save = async (event: Event) => {
    event.preventDefault()
    try {
      await setAttributes(
        document,
        Object.fromEntries(pairs.value.filter(pair => pair.name.trim()).map(parsePair)),
      )
      notice.value = { message: t().document.saved }
    } catch (error) {
      notice.value = toNotice(error)
    }
  }
  return (
    <form class="attributes" onSubmit={save}>
      <h2>{t().document.attributes}</h2>
      <p class="quiet">{t().document.attributesHint}</p>
      {pairs.value.map((pair, pairIndex) => (
        <AttributeFields
          key={pairIndex}
          pair={pair}
          change={part => updatePair(pairIndex, part)}
          remove={() => {
            pairs.value = pairs.value.filter((_, index) => index !== pairIndex)
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
        <span role="status">{notice.value && <NoticeText notice={notice.value} />}</span>
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

/** Turns numbers and booleans into values, because filters compare by type. */
function parsePair({ name, value }: Pair): [string, string | number | boolean] {
  if (value === 'true' || value === 'false') return [name.trim(), value === 'true']
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value))
  return [name.trim(), isNumber ? Number(value) : value]
}
