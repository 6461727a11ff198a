import { formatWithAdvice } from '../../errors.ts'
import { enDoctor, enEvaluation } from './en-checks.ts'
import { enNotes } from './en-notes.ts'
import { enResults } from './en-results.ts'
import { enUsage } from './en-usage.ts'
import { enWork } from './en-work.ts'
import type { TranslatableFailure, TranslatableWarning } from './translatable.ts'

const PLANS: Readonly<Record<string, string>> = {
  indexed: 'to index',
  replaced: 'to replace',
  moved: 'to move',
  removed: 'to remove',
}

/** Errors, notes and progress of `ask`, `chat`, `search` and `index`. */
export const en = {
  failure: (failure: TranslatableFailure) => `${formatWithAdvice(failure)} (${failure.code})`,
  describe: (item: TranslatableWarning) => formatWithAdvice(item),
  withoutAdvice: (item: TranslatableWarning) => item.message,
  named: (source: string, text: string) => `${source}: ${text}`,
  passim: (text: string) => `passim: ${text}`,
  count: (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`,
  stopped: 'Stopped.',
  resumes: 'Stopped. Completed work is kept; the next run resumes from there.',
  usage: enUsage,
  notes: enNotes,
  results: enResults,
  work: enWork,
  doctor: enDoctor,
  evaluation: enEvaluation,
  help: (command: string) => `See ${command} --help.`,
  listening: (url: string) => `passim listening on ${url}`,
  mcpListening: (url: string) => `passim mcp listening on ${url}`,
  find: {
    nothing: 'No document contains this text.',
    place: (source: string, page: number) => `${source}, p. ${page}`,
    similarity: (percent: number) => ` (${percent} % of the letters)`,
  },
  tableCut: (name: string, rows: number, maxCells: number) =>
    `Only the first ${rows} rows of ${name} were read: tables of a document have at most ${maxCells} cells.`,
  created: (home: string) => `Created a new store in ${home}.`,
  continuing: (id: string, title: string, sources: string) =>
    `Continuing ${id}${sources && ` in ${sources}`}: ${title}`,
  notStored: (reason: string) => `The answer cannot be stored for --continue: ${reason}`,
  ask: {
    noModel: 'No chat model is configured (PASSIM_MODEL_URL): the answer quotes the documents.',
    noQuestions: (file: string) => `There are no questions in ${file}.`,
    questions: 'questions',
    plan: 'Parts of the question:',
    searched: (query: string, found: number) =>
      `Also searched: ${query} (${found} ${found === 1 ? 'passage' : 'passages'})`,
    calls: (name: string, args: string) => `Called ${name} ${args}`,
    receipt: (file: string) =>
      `Wrote the receipt to ${file}. To check it, open dist/web/verify.html of the package, or /verify.html of a service.`,
    opened: (file: string) => `Opened ${file}`,
    noBrowser: (file: string) => `Cannot start a browser. The page is at ${file}`,
  },
  chat: {
    greeting: 'Ask about your documents. Type /help for commands.',
    help: `/sources      the sources of the last answer, /sources N one of them whole
/history      show the questions and answers
/save FILE    write the conversation as Markdown
/quit         leave (Ctrl-D, too); passim chat --continue goes on`,
    wrote: (file: string) => `Wrote ${file}.`,
    unknownCommand: (name: string) => `Unknown command ${name}. Type /help for a list.`,
    noAnswer: 'There is no answer yet.',
    noSource: (marker: string) => `The answer has no source ${marker}.`,
    noSources: 'The answer has no sources.',
    noFileName: 'Provide a file name, for example /save travel.md',
    stopped: 'The answer was stopped.',
  },
  search: {
    nothing: 'Nothing found.',
    corrected: (from: string, to: readonly string[]) =>
      `No text has "${from}". Searched for ${to.join(', ')} instead.`,
    synonyms: (from: string, to: readonly string[]) =>
      `Searched for "${from}" also as ${to.join(', ')}.`,
    notReranked: (reason: string) => `The hits were not reranked: ${reason}`,
    omitted: (count: number) =>
      count === 1
        ? '1 hit did not fit and was omitted.'
        : `${count} hits did not fit and were omitted.`,
    page: (pages: string) => `p. ${pages}`,
    confidence: (value: string) => `confidence ${value}`,
    weak: 'weak',
    listing: 'a listing',
    sameText: (names: readonly string[]) => `same text in ${names.join(', ')}`,
    byKeyword: 'by keyword',
    byVector: 'by vector',
    firstSearch: 'of the first search',
    reranker: 'of the reranker',
    reranked: (rank: number, score: string) => `reranked from ${rank} by ${score}`,
    legs: { keyword: 'keyword', vector: 'vector' },
    notByLeg: (leg: string) => `not by ${leg}`,
    filter: (values: string) => `filter: ${values}`,
    noAttribute: 'no such attribute',
    noTerm: 'no term',
    missingTerms: (message: string, terms: readonly string[]) =>
      `${message} Missing terms: ${terms.join(', ')}.`,
  },
  index: {
    waiting: (pid: number) =>
      `Waiting for process ${pid}, which is indexing this collection. Press Ctrl-C to stop waiting.`,
    starting: 'Starting the parser processes.',
    watching: 'Watching for changes. Press Ctrl-C to stop.',
    retries: 'Passim tries again at the next change.',
    warning: (message: string) => `warning: ${message}`,
    done: (done: number, total: number) => `${done} of ${total} done`,
    finishing: (done: number) => `${done} done, finishing`,
    byWords: (count: number) => `${count} searchable by keyword`,
    remaining: (time: string) => `${time} left`,
    minutes: (count: number) => `${count} min`,
    seconds: (count: number | string) => `${count} s`,
    comma: ', ',
    semicolon: '; ',
    /** Names in a dry run what a run would do. */
    plan: (status: string) => PLANS[status] ?? status,
    outcome: (status: string, text: string) => `${status}: ${text}`,
    summary: (count: number, status: string) => `${count} ${status}`,
    chunks: (count: number) => `${count} ${count === 1 ? 'chunk' : 'chunks'}`,
    noFiles: 'no files found',
    dryRun: (summary: string) => `Dry run: ${summary}`,
  },
  audit: {
    sound: (files: number, lines: number) => `No problems found. Files: ${files}, lines: ${lines}.`,
  },
  verify: {
    repaired: (problem: string) => `Repaired: ${problem}`,
    unrepaired: 'This cannot be repaired here.',
    advice: 'Run passim verify --repair to repair what can be repaired.',
    sound: (rootHash: string) => `No problems found. Root hash ${rootHash}`,
    more: (count: number) =>
      `${count} more problem${count === 1 ? '' : 's'} of the same kind. Use --json for all.`,
  },
  none: {
    documents: 'No documents.',
    collections: 'No collections.',
    jobs: 'No jobs.',
    sources:
      'The settings have no sources. Add one to config.yaml, for example sources: { papers: { type: folder, path: /srv/papers } }.',
    tables: 'No tables.',
  },
}

export type Sentences = typeof en
