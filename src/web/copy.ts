/** Outside of HTTPS and localhost, browsers have no `navigator.clipboard`. */
export async function copyText(text: string): Promise<void> {
  if (isSecureContext) return await navigator.clipboard.writeText(text)
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fill, { once: true })
  document.execCommand('copy')
  document.removeEventListener('copy', fill)
}
