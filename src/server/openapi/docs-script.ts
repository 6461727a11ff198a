/**
 * What the page does in a browser: it sends a call as its form says, with the key that is typed in, which is in the page's
 * memory only, and shows what came back as text. Answers are read to their end, or to the limit of what is shown.
 */
export const DOCS_SCRIPT = `
const SHOWN_CHARS = 200000
const valueOf = input => input.type === 'file' ? input.files[0] : input.value
function requestOf(form) {
  const { method, path } = form.dataset
  const headers = {}
  const query = new URLSearchParams()
  let url = path
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
