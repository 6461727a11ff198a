import { readFile } from 'node:fs/promises'
import vm from 'node:vm'
import type { ReceiptJson } from '../../src/wire/receipt.ts'

export type VerifyReceipt = (
  bytes: Uint8Array,
  key: string,
) => Promise<{ readonly receipt: ReceiptJson; readonly isOfKey: boolean }>

/** The function of the page that ships, with no more of a browser than the page needs to check. */
export async function loadVerifier(): Promise<VerifyReceipt> {
  const html = await readFile('dist/web/verify.html', 'utf8')
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? []
  const browser = { crypto, TextDecoder, Uint8Array, document: { addEventListener: () => {} } }
  return vm.runInNewContext(`${script}; verifyReceipt`, browser)
}
