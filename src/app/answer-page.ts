import type { Answer, Citation } from '../agent/answer.ts'
import type { DocumentReader } from '../ingest/document.ts'

/** Text shown on either side of a citation, in UTF-16 units. */
const AROUND = 700

const STYLE = `body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.3rem}h2{font-size:1rem;margin:2rem 0 .4rem}.answer{white-space:pre-wrap}
.source{white-space:pre-wrap;border-left:3px solid #bbb;padding:.2rem 0 .2rem 1rem;color:#555;overflow-wrap:anywhere}
mark{background:#ffe27a;color:#000}.note{color:#666;font-size:.85rem}a{color:inherit}
@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}.source{color:#aaa}}`

/** An answer as one HTML page without scripts or anything loaded: every citation within the text around it. */
export async function answerPage(answer: Answer, reader: DocumentReader): Promise<string> {
  const sources: string[] = []
  for (const citation of answer.citations) sources.push(await sourceSection(citation, reader))
  const title = escapeHtml(answer.question)
  const unsupported = answer.unsupported?.map(sentence => `<li>${escapeHtml(sentence)}</li>`).join('') ?? ''
  return `<!doctype html>
<html lang="${/\p{Script=Han}/u.test(answer.question) ? 'zh' : 'en'}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><h1>${title}</h1>
<p class="answer">${linked(answer.answer)}</p>
${unsupported && `<h2>Not found in the documents</h2><ul>${unsupported}</ul>`}
${answer.abstained && sources.length > 0 ? '<h2>Nearest passages</h2>' : ''}
${sources.join('\n')}
${answer.citations.some(one => one.page !== undefined) ? '<p class="note">Pages are shown as their text.</p>' : ''}
</body></html>
`
}

async function sourceSection(citation: Citation, reader: DocumentReader): Promise<string> {
  const { marker, documentId, doc, page, source, charStart, charEnd, verified, text } = citation
  const place = page === undefined ? '' : `, p. ${page}`
  const heading = `<h2 id="source-${marker}">[${marker}] ${escapeHtml(doc)}${place}</h2><p class="note">${escapeHtml(source)}</p>`
  if (!verified)
    return `${heading}<div class="source">${escapeHtml(text)}</div><p class="note">Not found in the document.</p>`
  const from = Math.max(0, charStart - AROUND)
  const before = await reader.read(documentId, from, charStart)
  const after = await reader.read(documentId, charEnd, charEnd + AROUND)
  const words = `${from > 0 ? '…' : ''}${escapeHtml(before)}<mark>${escapeHtml(text)}</mark>${escapeHtml(after)}`
  return `${heading}<div class="source">${words}</div>`
}

/** Markers lead to their sources. */
function linked(text: string): string {
  return escapeHtml(text).replace(/\[(\d{1,3})\]/g, '<a href="#source-$1">[$1]</a>')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)
}
