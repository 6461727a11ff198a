import { escapeHtml } from '../app/answer-page/escape-html.ts'
import type { Description } from './openapi.ts'

/** Styles are in the page, nothing is loaded from anywhere, and no script runs. */
export const DOCS_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
summary{cursor:pointer;padding:.3rem 0}code,pre{font:14px/1.4 ui-monospace,monospace}
pre{overflow:auto;padding:.7rem;border:1px solid #8886;border-radius:.3rem}b{display:inline-block;min-width:4.5rem}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8cf}}`

/** `/docs`: the description as a page that reads without a network. */
export function docsPage({ info, paths }: Description): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => route(method, path, operation)),
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(info.title)} ${escapeHtml(info.version)}</h1>
<p>OpenAI's files, vector stores and answers under <code>/v1</code>, ours under <code>/api</code>. For programs:
<a href="/openapi.json">openapi.json</a>.</p>
${routes.join('\n')}
</html>`
}

function route(method: string, path: string, operation: object): string {
  const { requestBody } = operation as { readonly requestBody?: { readonly content: object } } // as openapi.ts made it
  const title = `<b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>`
  if (!requestBody) return `<p>${title}</p>`
  const body = Object.entries(requestBody.content).map(
    ([type, { schema }]) => `<p>${escapeHtml(type)}</p><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`,
  )
  return `<details><summary>${title}</summary>${body.join('')}</details>`
}
