import { createHash } from 'node:crypto'
import { escapeHtml } from '../../app/answer-page/escape-html.ts'
import type { DescribedOperation, Description, JsonSchema } from './description.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
summary{cursor:pointer;padding:.3rem 0}code,pre,textarea,output{font:14px/1.4 ui-monospace,monospace}
pre,output{overflow:auto;padding:.7rem;border:1px solid #8886;border-radius:.3rem}b{display:inline-block;min-width:4.5rem}
label{display:block;margin:.4rem 0}label small{opacity:.75}input,textarea{font:inherit;max-width:100%;box-sizing:border-box}
textarea{width:100%;font:14px/1.4 ui-monospace,monospace}output{display:block;white-space:pre-wrap;max-height:30rem}
output:empty{display:none}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8cf}}`

/** Allows only the page's own script and this origin. */
export function buildDocsPolicy(): string {
  const hash = createHash('sha256').update(DOCS_SCRIPT).digest('base64')
  const own =
    "style-src 'unsafe-inline'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
  return `default-src 'none'; script-src 'sha256-${hash}'; ${own}`
}

/** Renders an offline page with a form per call. */
export function renderDocsPage({ info, paths }: Description): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      route(method.toUpperCase(), path, operation),
    ),
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)}</title><style>${STYLE}</style>
<h1>${escapeHtml(info.title)} ${escapeHtml(info.version)}</h1>
<p>OpenAI's files, vector stores and answers under <code>/v1</code>, ours under <code>/api</code>. For programs:
<a href="openapi.json">openapi.json</a>; for people: <a href="./">the page</a>.</p>
<label>Key, where the service has some: <input id="key" type="password" autocomplete="off" size="40">
<small>It stays in this page and is sent with the calls that you try.</small></label>
${routes.join('\n')}
<script>${DOCS_SCRIPT}</script>
</html>`
}

function route(method: string, path: string, operation: DescribedOperation): string {
  const { summary, description, requestBody, responses } = operation
  const title = `<b>${method}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}`
  const schemas = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) =>
      `<p>${escapeHtml(type)}</p><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`,
  )
  const statuses = Object.keys(responses).map(escapeHtml).join(', ')
  return `<details><summary>${title}</summary>${description ? `<p>${escapeHtml(description)}</p>` : ''}
<form data-method="${method}" data-path="${escapeHtml(path)}">${renderInputs(operation).join('')}
<button>Try</button><output></output></form>
${schemas.join('')}<p>Answers: ${statuses}</p></details>`
}

function renderInputs({ parameters = [], requestBody }: DescribedOperation): readonly string[] {
  const named = parameters.map(({ name, in: place, required, description }) =>
    renderInput({ name, place, isRequired: required, description }),
  )
  return [...named, ...Object.entries(requestBody?.content ?? {}).flatMap(renderBodyInputs)]
}

function renderBodyInputs([type, { schema, example }]: [
  string,
  { schema: JsonSchema; example?: object },
]) {
  if (type === 'application/json') {
    const text = escapeHtml(JSON.stringify(example ?? {}, null, 2))
    return [
      `<label>Body<textarea data-in="body" rows="${text.split('\n').length}">${text}</textarea></label>`,
    ]
  }
  const { properties = {}, required = [] } = schema
  const plain = Object.entries(properties).filter(([, { type: kind }]) => kind !== 'object')
  return plain.map(([name, { format, description }]) =>
    renderInput({
      name,
      place: 'form',
      isRequired: required.includes(name),
      isFile: format === 'binary',
      description,
    }),
  )
}

type Input = {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly isFile?: boolean
  readonly description?: string
}

function renderInput({ name, place, isRequired, isFile = false, description = '' }: Input): string {
  const kind = isFile ? ' type="file"' : ''
  const field = `<input data-in="${place}" name="${escapeHtml(name)}"${kind}${isRequired ? ' required' : ''}>`
  return `<label><code>${escapeHtml(name)}</code> ${field} <small>${escapeHtml(description)}</small></label>`
}

/** Sends the form with the key, and shows the answer up to a limit. */
const DOCS_SCRIPT = `
const SHOWN_CHARS = 200000
const valueOf = input => input.type === 'file' ? input.files[0] : input.value
function requestOf(form) {
  const { method, path } = form.dataset
  const headers = {}
  const query = new URLSearchParams()
  let url = '.' + path
  let body
  for (const input of form.querySelectorAll('[data-in]')) {
    const value = valueOf(input)
    const { in: place } = input.dataset
    if (value === undefined || value === '') continue
    if (place === 'path') url = url.replace('{' + input.name + '}', encodeURIComponent(value))
    if (place === 'query') query.append(input.name, value)
    if (place === 'header') headers[input.name] = value
    if (place === 'form') (body ??= new FormData()).append(input.name, value)
    if (place === 'body') {
      headers['content-type'] = 'application/json'
      body = value
    }
  }
  const key = document.getElementById('key').value
  if (key !== '') headers.authorization = 'Bearer ' + key
  return { url: url + (query.size > 0 ? '?' + query : ''), method, headers, body }
}
async function show(response, output) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let size = 0; reader && size < SHOWN_CHARS; ) {
    const { done, value } = await reader.read()
    if (done) return
    size += value.length
    output.append(value)
  }
  await reader?.cancel()
}
document.addEventListener('submit', async event => {
  event.preventDefault()
  const form = event.target
  const output = form.querySelector('output')
  const button = form.querySelector('button')
  output.textContent = ''
  button.disabled = true
  try {
    const { url, ...request } = requestOf(form)
    const response = await fetch(url, { ...request, credentials: 'omit', cache: 'no-store' })
    output.append(response.status + ' ' + (response.headers.get('x-request-id') ?? '') + '\\n\\n')
    await show(response, output)
  } catch (error) {
    output.append(String(error))
  }
  button.disabled = false
})
`
