import type { PDFDocumentProxy } from 'pdfjs-dist'

const MAX_LABEL_CHARS = 32

/** What a PDF calls its pages (`iv`, `A-3`), for those that it calls anything but their number. */
export async function readPageLabels(document: PDFDocumentProxy): Promise<ReadonlyMap<number, string>> {
  const labels = (await document.getPageLabels().catch(() => undefined)) ?? [] // damaged labels are no loss of text
  const named = labels.map((label, index) => [index + 1, label.trim().slice(0, MAX_LABEL_CHARS)] as const)
  return new Map(named.filter(([page, label]) => label !== '' && label !== String(page)))
}
