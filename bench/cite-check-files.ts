/**
 * Makes the files of bench/data/cite-check/files from the sources beside them:
 *
 *   npx tsx bench/cite-check-files.ts
 *
 * All but PDFs are the same bytes on every machine; PDFs are printed by Chromium, and are made only where they are missing.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { SourceDocument } from './cite-check/document.ts'
import { htmlPage, markdown, plainText } from './cite-check/formats/markup.ts'
import { docx, epub, pptx, xlsx } from './cite-check/formats/office.ts'
import { csv, eml } from './cite-check/formats/plain.ts'
import { readQuestionSet } from './cite-check/question-set.ts'

const FOLDER = new URL('data/cite-check/', import.meta.url)

const PRINTED = `@page{size:A4;margin:22mm} body{font:11pt/1.45 "Noto Serif","Noto Serif CJK SC","Noto Sans CJK SC",serif}
table{border-collapse:collapse;margin:8pt 0} td,th{border:.5pt solid #666;padding:3pt 6pt;text-align:left;font-size:9.5pt}`

const WRITERS: Readonly<Record<string, (document: SourceDocument) => string | Buffer>> = {
  md: markdown,
  txt: plainText,
  html: document => htmlPage(document),
  csv,
  eml,
  docx,
  xlsx,
  pptx,
  epub,
}

async function printPdfs(documents: readonly SourceDocument[]): Promise<void> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    for (const document of documents) {
      await page.setContent(htmlPage(document, PRINTED))
      await page.pdf({
        path: new URL(`files/${document.id}.pdf`, FOLDER).pathname,
        preferCSSPageSize: true,
      })
    }
  } finally {
    await browser.close()
  }
}

const documents = [...readQuestionSet(FOLDER).documents.values()]
mkdirSync(new URL('files/', FOLDER), { recursive: true })
for (const document of documents) {
  const write = WRITERS[document.format]
  if (write)
    writeFileSync(new URL(`files/${document.id}.${document.format}`, FOLDER), write(document))
  else if (document.format !== 'pdf')
    throw new Error(`${document.id}: no writer for ${document.format}.`)
}
const missing = documents.filter(
  ({ id, format }) => format === 'pdf' && !existsSync(new URL(`files/${id}.pdf`, FOLDER)),
)
if (missing.length) await printPdfs(missing)
console.log(`${documents.length} files, ${missing.length} of them printed anew.`)
