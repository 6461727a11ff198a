import { type Command, Option } from 'commander'
import { loadSettings } from '../config.ts'
import { formatBytes } from '../system/byte-sizes.ts'
import type { Migration } from '../wire/backup.ts'
import type {
  AuditVerification,
  DoctorReport,
  Problem,
  Repair,
  Verification,
} from '../wire/checks.ts'
import { type AddCommand, formatExample, getAllOptions } from './command.ts'
import { EXIT, formatCount, type GlobalOptions, Output } from './output.ts'
import { getUserSentences } from './sentences/sentences.ts'
import { createInterruption, openOptions, withDiagnosedStore, withExisting } from './session.ts'

export const addVerify: AddCommand = program => {
  program
    .command('verify')
    .description('check catalog, files and index for consistency')
    .option('--repair', 'rebuild damaged parts from stored data')
    .addHelpText('after', formatExample('passim verify', 'passim verify --repair'))
    .action(async (_options, command: Command) =>
      verify(getAllOptions<{ readonly repair?: boolean }>(command)),
    )
}

export const addDoctor: AddCommand = program => {
  program
    .command('doctor')
    .description('show what works on this machine')
    .option('--model', 'also send two short requests to the chat model, to see what it can do')
    .addHelpText('after', formatExample('passim doctor', 'passim doctor --model'))
    .action(async (_options, command: Command) =>
      runDoctor(getAllOptions<{ readonly model?: boolean }>(command)),
    )
}

export const addMigrate: AddCommand = program => {
  program
    .command('migrate')
    .addOption(new Option('--to <place>', 'destination').choices(['cluster']).default('cluster'))
    .description(
      'move the store, the stores of tenants and the keys into the PostgreSQL database of catalog.url',
    )
    .addHelpText(
      'after',
      formatExample('PASSIM_CATALOG_URL=postgres://passim:secret@db/passim passim migrate'),
    )
    .action(async (_options, command: Command) => migrateTo(getAllOptions(command)))
}

export const addAudit: AddCommand = program => {
  program
    .command('audit')
    .description('check the audit log of the service')
    .command('verify')
    .description('report missing or changed lines of the audit log')
    .addHelpText('after', formatExample('passim audit verify'))
    .action(async (_options, command: Command) => verifyLog(getAllOptions(command)))
}

async function verifyLog(options: GlobalOptions): Promise<void> {
  const { verifyAudit } = await import('../app/audit/verify-audit.ts')
  const { home } = await loadSettings(openOptions(options))
  const found = await verifyAudit(home, createInterruption())
  const { describe, audit: words } = getUserSentences()
  new Output(options).writeResult<AuditVerification>(found, () =>
    found.ok
      ? words.sound(found.files, found.lines)
      : found.problems.map(problem => describe(problem)).join('\n'),
  )
  process.exitCode = found.ok ? EXIT.done : EXIT.failed
}

/** Problems shown, so that one cause does not fill the screen. */
const SHOWN_PROBLEMS = 20

async function verify(options: GlobalOptions & { readonly repair?: boolean }): Promise<void> {
  const found = await withExisting(options, (passim, signal) =>
    options.repair ? passim.verify.repair(signal) : passim.verify.run(signal),
  )
  new Output(options).writeResult<Verification | Repair>(found, () => formatVerification(found))
  process.exitCode = found.ok ? EXIT.done : EXIT.failed
}

function formatVerification(found: Verification | Repair): string {
  const { verify: words } = getUserSentences()
  const repaired = 'repaired' in found ? describeProblems(found.repaired).map(words.repaired) : []
  const advice = 'repaired' in found ? words.unrepaired : words.advice
  const now = found.ok
    ? [words.sound(found.rootHash)]
    : [...describeProblems(found.problems), advice]
  return [...repaired, ...now].join('\n')
}

function describeProblems(problems: readonly Problem[]): readonly string[] {
  const { describe, verify: words } = getUserSentences()
  const listed = problems.slice(0, SHOWN_PROBLEMS)
  const messages = listed.map(problem => describe(problem))
  const more = problems.length - messages.length
  return more > 0 ? [...messages, words.more(more)] : messages
}

async function migrateTo(options: GlobalOptions): Promise<void> {
  const { migrate } = await import('../app/tenants/migrate.ts')
  const found = await migrate(await loadSettings(openOptions(options)))
  const stores = formatCount(found.tenants.length, 'store')
  new Output(options).writeResult<Migration>(found, () =>
    getUserSentences().work.migrated(stores, found.place),
  )
}

function formatSettings(settings: DoctorReport['machineSettings']): string {
  const formatted = Object.entries(settings).map(([name, value]) => {
    return `${name} ${name.endsWith('Bytes') ? formatBytes(value) : value}`
  })
  return formatted.join(', ')
}

async function runDoctor(options: GlobalOptions & { readonly model?: boolean }): Promise<void> {
  const { model = false } = options
  const report = await withDiagnosedStore(options, passim => passim.doctor({ model }))
  new Output(options).writeResult<DoctorReport>(report, () => formatReport(report))
  process.exitCode = report.ok ? EXIT.done : EXIT.unable
}

function formatReport(report: DoctorReport): string {
  const { describe, doctor: words } = getUserSentences()
  const { version, node, platform, cores, home, storeFormat, checks } = report
  return [
    words.program(version, node, platform, cores),
    words.store(home, storeFormat, formatBytes(report.freeBytes)),
    words.settings(formatSettings(report.machineSettings)),
    words.formats(report.parsers.map(id => id.split('@')[0] ?? id)),
    words.embedders(report.embedders.join(', ')),
    words.hosts(report.hosts.join(', ') || words.noHosts),
    ...checks.map(check =>
      words.check(check.ok, check.name, check.error ? describe(check.error) : words.detail(check)),
    ),
  ].join('\n')
}
