import { createRequire } from 'node:module'
import type Iconv from 'iconv-lite'

const require = createRequire(import.meta.url)

/** Loads iconv-lite on demand: its tables take half a megabyte. */
export function loadIconv(): typeof Iconv {
  return require('iconv-lite')
}
