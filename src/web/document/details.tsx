import type { ReportedDocumentJson } from '../../wire/document.ts'
import { Icon } from '../icons.tsx'
import { NoticeText } from '../notice.tsx'
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
