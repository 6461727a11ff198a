import type { AgentResult } from '../../agent/event.ts'
import { detectReplyLanguage } from '../../agent/messages/reply-language.ts'
import type { Citation } from '../../answer/citations/citation.ts'
import type { DocumentReader } from '../../ingest/store/document-reader.ts'
import { answerLabels, cutLabel, placeLabel, selectContradicted } from './answer-labels.ts'
import { escapeHtml } from './escape-html.ts'
import type { DrawnPage, PageDrawer, PageDrawing } from './page-drawer.ts'

/** Characters on either side of a citation, so that its context is readable. */
const AROUND = 700

const TEXT_ONLY =
  'Pages are shown as their text; the optional packages @hyzyla/pdfium and sharp would draw those of PDFs.'

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.3rem}h2{font-size:1rem;margin:2rem 0 .4rem}.answer{white-space:pre-wrap}
.source{white-space:pre-wrap;border-left:3px solid #bbb;padding:.2rem 0 .2rem 1rem;color:#555;overflow-wrap:anywhere}
mark{background:#ffe27a;color:#000}.page{position:relative;border:1px solid #bbb;margin:.4rem 0}.page img{display:block;width:100%}
.page i{position:absolute;background:#ffd500;mix-blend-mode:multiply;opacity:.7}.note{color:#666;font-size:.85rem}a{color:inherit}
@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}.source{color:#aaa}}`

/** Renders HTML without scripts or external resources. */
export async function answerPage(
  answer: AgentResult,
  reader: DocumentReader,
  drawer?: PageDrawer,
): Promise<string> {
  const sources: string[] = []
  for (const citation of answer.citations) {
    const drawn = await drawer?.draw(citation)
    sources.push(await renderSource(citation, placeLabel(citation, answer), reader, drawn))
  }
  const title = escapeHtml(answer.question)
  const labels = answerLabels(answer)
  const cut = cutLabel(answer) ?? ''
  return `<!doctype html>
<html lang="${detectReplyLanguage(answer.question)}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><h1>${title}</h1>
<p class="answer">${linkMarkers(answer.text)}</p>
${cut && `<p class="note">${escapeHtml(cut)}</p>`}
${renderSentences(labels.contradicted, selectContradicted(answer))}
${renderSentences(labels.unconfirmed, answer.unconfirmed ?? [])}
${answer.abstained && sources.length > 0 ? `<h2>${labels.nearest}</h2>` : ''}
${sources.join('\n')}
${answer.citations.some(citation => citation.page !== undefined) && !drawer ? `<p class="note">${TEXT_ONLY}</p>` : ''}
</body></html>
`
}

function renderSentences(heading: string, sentences: readonly string[]): string {
  if (sentences.length === 0) return ''
  return `<h2>${heading}</h2><ul>${sentences.map(sentence => `<li>${escapeHtml(sentence)}</li>`).join('')}</ul>`
}

async function renderSource(
  citation: Citation,
  place: string,
  reader: DocumentReader,
  drawn?: PageDrawing,
): Promise<string> {
  const { marker, documentId, doc, source, charStart, charEnd, text } = citation
  const head = escapeHtml([doc, place].filter(Boolean).join(', '))
  const heading = `<h2 id="source-${marker}">[${marker}] ${head}</h2><p class="note">${escapeHtml(source)}</p>`
  if (drawn && 'pages' in drawn) return heading + drawn.pages.map(renderPage).join('\n')
  const from = Math.max(0, charStart - AROUND)
  const before = await reader.read(documentId, from, charStart)
  const after = await reader.read(documentId, charEnd, charEnd + AROUND)
  const words = `${from > 0 ? '…' : ''}${escapeHtml(before)}<mark>${escapeHtml(text)}</mark>${escapeHtml(after)}`
  const note = drawn
    ? `<p class="note">The page could not be drawn: ${escapeHtml(drawn.failure)}</p>`
    : ''
  return `${heading}<div class="source">${words}</div>${note}`
}

function renderPage({ page, picture, size, boxes }: DrawnPage): string {
  const share = (length: number, total: number) => `${((100 * length) / total).toFixed(2)}%`
  const marks = boxes.map(([x0, y0, x1, y1]) => {
    const place = `left:${share(x0, size.width)};top:${share(y0, size.height)}`
    return `<i style="${place};width:${share(x1 - x0, size.width)};height:${share(y1 - y0, size.height)}"></i>`
  })
  return `<div class="page"><img src="${picture}" alt="Page ${page}">${marks.join('')}</div>`
}

function linkMarkers(text: string): string {
  return escapeHtml(text).replace(/\[(\d{1,3})\]/g, '<a href="#source-$1">[$1]</a>')
}
