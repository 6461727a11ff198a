import type { Check } from '../../wire/checks.ts'
import type { AnswerJudgement } from '../../wire/evaluation.ts'

const FORMATS: Readonly<Record<string, string>> = {
  asciidoc: 'AsciiDoc',
  cards: 'contacts and calendars',
  code: 'source code',
  csv: 'CSV',
  doc: 'Word 97',
  docx: 'Word',
  eml: 'mail',
  epub: 'EPUB',
  html: 'HTML',
  image: 'pictures',
  ipynb: 'Jupyter notebooks',
  json: 'JSON',
  jsonl: 'JSON Lines',
  markdown: 'Markdown',
  mbox: 'mailboxes',
  msg: 'Outlook mail',
  odp: 'OpenDocument presentations',
  ods: 'OpenDocument spreadsheets',
  odt: 'OpenDocument texts',
  org: 'Org',
  passage: 'texts from programs',
  pdf: 'PDF',
  ppt: 'PowerPoint 97',
  pptx: 'PowerPoint',
  rst: 'reStructuredText',
  rtf: 'RTF',
  tex: 'LaTeX',
  text: 'plain text',
  tnef: 'winmail.dat',
  tsv: 'tab-separated values',
  xls: 'Excel 97',
  xlsx: 'Excel',
  xml: 'XML',
  zip: 'ZIP archives',
}

export const enDoctor = {
  program: (version: string, node: string, platform: string, cores: number) =>
    `passim ${version} on Node ${node}, ${platform}, ${cores} cores`,
  store: (home: string, format: number, free: string) =>
    `store ${home} (format ${format}), ${free} free`,
  settings: (settings: string) => `derived from this machine: ${settings}`,
  formats: (parsers: readonly string[]) =>
    `formats ${parsers.map(name => FORMATS[name] ?? name).join(', ')}`,
  embedders: (names: string) => `embedders ${names}`,
  hosts: (names: string) => `hosts that may be contacted: ${names}`,
  noHosts: 'none, so nothing leaves this machine',
  detail: (check: { readonly detail: string }) => check.detail,
  check: (isOk: boolean, name: Check['name'], text: string) =>
    `${isOk ? 'ok  ' : 'FAIL'} ${name}: ${text}`,
}

const MEASURES: Readonly<Record<keyof AnswerJudgement, string>> = {
  correct: 'correct',
  wronglyAbstained: 'refused an answerable question',
  rightlyAbstained: 'refused an unanswerable question',
  documentHit: 'document cited',
  pageHit: 'page cited',
  evidenceHit: 'evidence cited',
}

export const enEvaluation = {
  measure: (measure: keyof AnswerJudgement) => MEASURES[measure],
  of: (rate: string, count: number) => `${rate}  of ${count}`,
  misses: (ids: readonly string[]) => `misses: ${ids.join(', ')}`,
  times: (times: string) => `${times} per question`,
  earlierRun: 'the earlier run',
  against: (other: string, figures: string, queries: number) =>
    `against ${other}: ${figures}, ${queries} queries`,
}
